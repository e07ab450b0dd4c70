#include "core/cache/queue.hpp"

namespace watchlab::cache {

api::Error fifo_closed() {
  return {.kind = api::ErrorKind::Closed, .message = "the queue is closed"};
}

}  // namespace watchlab::cache
