#pragma once

#include <chrono>
#include <string>

#include "tests/sim/apiserver/small_cluster.hpp"

namespace watchlab::sim {

/// The servers of a `DocumentedCluster`.
inline constexpr std::size_t kUpToDate = 0;
inline constexpr std::size_t kTwoSecondsBehind = 1;
inline constexpr std::size_t kAnHourBehind = 2;
inline constexpr std::size_t kOldAndAnHourBehind = 3;  ///< and of the release v1.30

/// What every table of the document is checked against: a and b exist, with the revisions 3 and 4.
/// All servers know of a; b was written just now.
struct DocumentedCluster : SmallCluster {
  DocumentedCluster()
      : SmallCluster({.servers = {{},
                                  {.lag = std::chrono::seconds(2)},
                                  {.lag = std::chrono::hours(1)},
                                  {.profile = profile_of(ServerRelease::V1_30),
                                   .lag = std::chrono::hours(1)}},
                      .compaction_period = {}}) {
    (void)create("a");
    now += std::chrono::hours(2);
    plane.change(now, [] {});
    for (std::size_t server = 0; server < plane.server_count(); ++server) {
      (void)plane.server(server).cache(*plane.types().find(kConfigMaps));
    }
    (void)create("b");
  }

  /// Sends a request and waits as long as the server wants to.
  Response settle(Request request, std::size_t server) {
    const runtime::TimePoint sent = request.arrived = now;
    Response response = plane.handle(server, request, now);
    while (const auto* pending = std::get_if<Pending>(&response.answer)) {
      request.waits_for = pending->needed;
      now += std::chrono::milliseconds(500);
      response = plane.handle(server, request, now);
    }
    waited = now - sent;
    return response;
  }

  runtime::Duration waited{};  ///< by the last `settle`
};

/// "200 a b rv=4", "504 Too large…": an answer as the tables write it.
inline std::string answer_text(const Response& response) {
  const std::string code = std::to_string(response.code) + " ";
  if (const auto* status = std::get_if<api::Status>(&response.answer)) {
    return code + status->message;
  }
  if (const auto* object = std::get_if<api::ObjectPtr>(&response.answer)) {
    return code + (*object)->metadata.name + " rv=" + (*object)->metadata.resource_version;
  }
  const std::string more = list_in(response).continue_token.empty() ? "" : " and more";
  return code + names_in(response) + more + " rv=" + list_in(response).resource_version;
}

}  // namespace watchlab::sim
