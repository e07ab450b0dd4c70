#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {

std::vector<Sketch> sketch_catalogue() {
  return {
      broadcaster_shut_down_under_a_writer(),
      fan_out_before_the_start(),
      reader_leaves_a_broadcaster(),
      reader_leaves_a_filter(),
      stop_meets_a_torn_stream(),
      two_runs_of_one_informer(),
  };
}

}  // namespace watchlab::sim
