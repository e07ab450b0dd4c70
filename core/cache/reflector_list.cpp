#include <utility>

#include "core/cache/reflector_impl.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::cache {
namespace {

constexpr std::int64_t kPageSize = 500;

/// One list in a task of its own. Shared with that task, which continues when it is abandoned.
struct ListAttempt {
  explicit ListAttempt(runtime::Runtime& runtime) : done(runtime, 0, "list_done") {}

  runtime::Channel<runtime::Unit> done;  ///< closed when the rest is written
  std::optional<api::Result<pager::PagedList>> answer;
  std::optional<runtime::Recovered> panic;
};

bool calls_for_the_latest(const api::Error& error) {
  return api::is_expired(error) || api::is_gone(error) || api::is_too_large_resource_version(error);
}

api::Error prefixed(std::string_view what, api::Error error) {
  error.message = fmt::format("{}: {}", what, error.message);
  return error;
}

}  // namespace

/// Mirrors the three cases of client-go list: an explicit page size, a server that has paged a list
/// for "0" before (its watch cache is off, so pages cost it nothing more), and the default.
std::int64_t Reflector::Impl::page_size_for(const std::string& version) const {
  if (options.watch_list_page_size != 0) {
    return options.watch_list_page_size;
  }
  if (paginated_result) {
    return kPageSize;
  }
  // A list at a definite revision comes from the server's cache only when it has no limit.
  const bool definite = !version.empty() && version != "0";
  return definite ? 0 : kPageSize;
}

/// The second request mirrors client-go: a revision that is too old or too new is given up for the
/// latest at once, because a cycle with a pause would ask for the same revision again.
api::Result<pager::PagedList> Reflector::Impl::list_pages(const runtime::StopToken& stop,
                                                          const std::string& version) {
  const pager::ListPager pager(
      runtime,
      [this](const runtime::StopToken& token, const api::ListOptions& request) {
        return lister_watcher->list(token, request);
      },
      {.page_size = page_size_for(version)});
  note("list rv=" + version);
  api::Result<pager::PagedList> answer = pager.list(stop, {.resource_version = version});
  if (!answer && calls_for_the_latest(answer.error())) {
    set_version_unavailable(true);
    const std::string latest = relist_version();
    note(fmt::format("list rv={}", latest));
    // At once, without a pause, and with the page size chosen before.
    answer = pager.list(stop, {.resource_version = latest});
  }
  return answer;
}

/// Mirrors client-go list. The request runs in a task of its own, so that a stop is seen while the
/// server takes its time; the abandoned request ends by itself and its answer is dropped.
api::Result<void> Reflector::Impl::list(const runtime::StopToken& stop) {
  const std::string version = relist_version();
  const runtime::TimePoint start = runtime.now();
  options.metrics->list_started();
  auto attempt = std::make_shared<ListAttempt>(runtime);
  runtime::spawn(runtime, "list", [self = shared_from_this(), attempt, stop, version] {
    attempt->panic =
        runtime::recover([&] { attempt->answer.emplace(self->list_pages(stop, version)); });
    attempt->done.close();
  });
  runtime::Select choice(runtime);
  choice.receive(stop.done(runtime));
  choice.receive(attempt->done);
  if (choice.wait() == 0) {
    note("list abandoned");
    return {};
  }
  options.metrics->list_ended(runtime.now() - start);
  if (attempt->panic) {
    std::rethrow_exception(attempt->panic->exception);
  }
  const api::Result<pager::PagedList>& answer = *attempt->answer;
  if (!answer) {
    if (answer.error().kind == api::ErrorKind::Cancelled && stop.stopped()) {
      return {};
    }
    return prefixed("failed to list " + options.type_description, answer.error());
  }
  if (options.refuses_tables && is_table(answer->list.api_version, answer->list.kind)) {
    return prefixed("failed to list " + options.type_description,
                    {.message = fmt::format("unsupported list gvk: {}, Kind={}",
                                            answer->list.api_version, answer->list.kind)});
  }
  if (version == "0" && answer->paginated) {
    paginated_result = true;
  }
  return take_over(answer->list);
}

/// The revision is advanced after the store has taken the list: a reader of the revision then finds
/// at least its content in the store.
api::Result<void> Reflector::Impl::take_over(const api::ObjectList& list) {
  // The server has answered, so whatever it said about old revisions is over, even if the store now
  // refuses the answer.
  set_version_unavailable(false);
  options.metrics->items_listed(list.items.size());
  note(fmt::format("listed {} items rv={}", list.items.size(), list.resource_version));
  if (const api::Result<void> replaced = store->replace(list.items, list.resource_version);
      !replaced) {
    return prefixed("unable to sync list result", replaced.error());
  }
  set_last_version(list.resource_version);
  options.metrics->reached(list.resource_version);
  return {};
}

}  // namespace watchlab::cache
