#include "core/pager/list_pager.hpp"

#include <memory>
#include <utility>

#include "core/runtime/channel.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::pager {
namespace {

api::Error cancelled() {
  return {.kind = api::ErrorKind::Cancelled, .message = "the list was stopped"};
}

void append_items(api::ObjectList& list, const api::ObjectList& page) {
  list.items.insert(list.items.end(), page.items.begin(), page.items.end());
}

/// Fetches pages into a channel for `each_list_item`. Shared with the fetching task, which can
/// outlive the call by one request when the visitor fails.
struct Ahead {
  Ahead(runtime::Runtime& runtime, const runtime::StopToken& parent, std::size_t pages)
      : stop(runtime, parent), pages(runtime, pages, "pages"), result(runtime, 1, "page_result") {}

  runtime::StopSource stop;
  runtime::Channel<std::shared_ptr<const api::ObjectList>> pages;
  runtime::Channel<api::Result<void>> result;
};

api::Result<void> fetch_ahead(runtime::Runtime& runtime, const PageFunction& page, Ahead& ahead,
                              api::ListOptions options) {
  const runtime::StopToken stop = ahead.stop.token();
  while (true) {
    if (stop.stopped()) {
      return cancelled();
    }
    api::Result<api::ObjectList> answer = page(stop, options);
    if (!answer) {
      return answer.error();
    }
    auto shared = std::make_shared<const api::ObjectList>(std::move(answer).value());
    options.continue_token = shared->continue_token;
    runtime::Select choice(runtime);
    choice.receive(stop.done(runtime));
    choice.send(ahead.pages, shared);
    if (choice.wait() == 0) {
      return cancelled();
    }
    if (options.continue_token.empty()) {
      return {};
    }
  }
}

/// Visits the pages as they come. A stop ends the visit with the page that it meets.
api::Result<void> visit_pages(
    const Ahead& ahead, const std::function<api::Result<void>(const api::ObjectPtr&)>& visit) {
  const runtime::StopToken stop = ahead.stop.token();
  while (const auto page = ahead.pages.receive()) {
    if (stop.stopped()) {
      return cancelled();
    }
    for (const api::ObjectPtr& object : (*page)->items) {
      if (api::Result<void> visited = visit(object); !visited) {
        return visited;
      }
    }
  }
  return *ahead.result.receive();
}

}  // namespace

ListPager::ListPager(runtime::Runtime& runtime, PageFunction page, ListPagerOptions options)
    : runtime_(runtime), page_(std::move(page)), options_(options) {}

/// Mirrors client-go ListWithAlloc. An expired token cannot be continued, and a second list in
/// pages could expire again; one request for everything at the original revision cannot.
api::Result<PagedList> ListPager::list(const runtime::StopToken& stop,
                                       api::ListOptions options) const {
  if (options.limit == 0) {
    options.limit = options_.page_size;
  }
  const api::ListOptions asked_for = options;
  PagedList all;
  while (true) {
    if (stop.stopped()) {
      return cancelled();
    }
    api::Result<api::ObjectList> page = page_(stop, options);
    if (!page) {
      const bool first_page = options.continue_token.empty();
      if (first_page || !options_.full_list_if_expired || !api::is_expired(page.error())) {
        return page.error();
      }
      options = asked_for;
      options.limit = 0;
      options.continue_token.clear();
      page = page_(stop, options);
      if (!page) {
        return page.error();
      }
      return PagedList{.list = std::move(page).value(), .paginated = all.paginated};
    }
    const std::string next = page->continue_token;
    if (!all.paginated) {
      all.list = std::move(page).value();
    } else {
      append_items(all.list, *page);
    }
    if (next.empty()) {
      all.list.continue_token.clear();
      return all;
    }
    options.continue_token = next;
    // The token carries its own revision; a server refuses a request that names both.
    options.resource_version.clear();
    options.resource_version_match = api::ResourceVersionMatch::Unset;
    all.paginated = true;
  }
}

/// Mirrors client-go EachListItem: pages are fetched ahead while items are visited, at most as many
/// as the buffer has room for.
api::Result<void> ListPager::each_list_item(
    const runtime::StopToken& stop, api::ListOptions options,
    const std::function<api::Result<void>(const api::ObjectPtr&)>& visit) const {
  if (options.limit == 0) {
    options.limit = options_.page_size;
  }
  auto ahead = std::make_shared<Ahead>(runtime_, stop, options_.page_buffer_size);
  runtime::spawn(runtime_, "pager-fetch",
                 [&runtime = runtime_, page = page_, ahead, options = std::move(options)] {
                   api::Result<void> result = fetch_ahead(runtime, page, *ahead, options);
                   ahead->result.send(std::move(result));
                   ahead->pages.close();
                 });
  api::Result<void> result;
  // Also when the visitor panics: the fetching task would wait with its page indefinitely.
  runtime::run_then([&] { result = visit_pages(*ahead, visit); }, [&] { ahead->stop.stop(); });
  return result;
}

}  // namespace watchlab::pager
