// Operators that delete what belonged to an object once that object is being deleted.
#include <utility>

#include "sim/story/reconciler.hpp"

namespace watchlab::sim {
namespace {

/// Gone already, or another one by now, is as good as deleted.
bool is_fine(const api::Error& error) {
  return error.status.reason == api::StatusReason::NotFound ||
         error.status.reason == api::StatusReason::Conflict;
}

/// Deletes what belongs to an object that is being deleted, as `storage` in the state "deleting".
template <bool by_uid>
api::Result<void> clean_up(const std::string& key, ReconcileContext& context) {
  const api::ObjectPtr owner = context.store->get_by_key(key);
  if (!owner || value_in(*owner, "state") != "deleting") {
    return {};
  }
  const api::ObjectPtr belongings = context.store->get_by_key(key + "-data");
  Request request;
  request.verb = Verb::Delete;
  request.namespace_ = owner->metadata.namespace_;
  request.name = owner->metadata.name + "-data";
  if (by_uid) {
    if (!belongings) {
      return {};
    }
    request.deletion.uid = belongings->metadata.uid;
  }
  const auto answer = context.connection.request(context.stop, std::move(request));
  return answer || is_fine(answer.error()) ? api::Result<void>()
                                           : api::Result<void>(answer.error());
}

}  // namespace

std::vector<ReconcilerEntry> cleanup_reconcilers() {
  return {{"cleanup_by_name",
           "deletes NAME-data when NAME is being deleted, whichever NAME-data there is by then",
           make_from<clean_up<false>>,
           {Verb::Delete}},
          {"cleanup_by_uid",
           "deletes NAME-data when NAME is being deleted, but only the one that it has seen",
           make_from<clean_up<true>>,
           {Verb::Delete}}};
}

}  // namespace watchlab::sim
