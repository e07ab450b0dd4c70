#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::pager {

/// Answers one LIST request, that is one page.
using PageFunction = std::function<api::Result<api::ObjectList>(const runtime::StopToken& stop,
                                                                const api::ListOptions& options)>;

/// How pages are asked for. Mirrors the fields of client-go tools/pager, ListPager.
struct ListPagerOptions {
  std::int64_t page_size = 500;       ///< 0 asks for everything in one answer
  bool full_list_if_expired = true;   ///< see `ListPager::list`
  std::size_t page_buffer_size = 10;  ///< pages fetched ahead by `each_list_item`
};

/// A list that was put together from pages.
struct PagedList {
  /// All items, with the revision of the *first* page.
  api::ObjectList list;
  /// Whether more than one page was asked for.
  bool paginated = false;
};

/// Reads long lists in pages. Holds no state between calls; any task may call any function, and the
/// page function must then bear that. Mirrors client-go tools/pager/pager.go, ListPager.
class ListPager {
 public:
  ListPager(runtime::Runtime& runtime, PageFunction page, ListPagerOptions options = {});

  /// Reads all pages and merges them. The first request carries the options as they are, plus the
  /// page size when they name no limit; the following ones carry the continue token and no
  /// revision, because the token has its own. A first answer without a token is returned unchanged.
  ///
  /// Errors: the page function's. Expired on the second page or later means that the server has
  /// forgotten the token's revision: then one request for everything is made, with the revision
  /// that was asked for at first, and its answer is final. Cancelled when `stop` stops between two
  /// pages. Mirrors ListPager.List and ListWithAlloc.
  [[nodiscard]] api::Result<PagedList> list(const runtime::StopToken& stop,
                                            api::ListOptions options) const;

  /// Calls `visit` with every object, in the caller's task, while another task fetches up to
  /// `page_buffer_size` pages ahead. Ends with the first error of `visit` or of the page function;
  /// Expired is one of them, there is no full list here. The following pages carry the revision
  /// that the options carry, as in the original, where `list` clears it: a server may refuse them.
  /// Mirrors ListPager.EachListItem.
  [[nodiscard]] api::Result<void> each_list_item(
      const runtime::StopToken& stop, api::ListOptions options,
      const std::function<api::Result<void>(const api::ObjectPtr&)>& visit) const;

 private:
  runtime::Runtime& runtime_;
  PageFunction page_;
  ListPagerOptions options_;
};

}  // namespace watchlab::pager
