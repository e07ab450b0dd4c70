#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::pager {

/// Answers one LIST request, that is, one page.
using PageFunction = std::function<api::Result<api::ObjectList>(const runtime::StopToken& stop,
                                                                const api::ListOptions& options)>;

/// How to request pages. Mirrors the fields of client-go tools/pager, ListPager.
struct ListPagerOptions {
  std::int64_t page_size = 500;       ///< 0 requests everything at once
  bool full_list_if_expired = true;   ///< see `ListPager::list`
  std::size_t page_buffer_size = 10;  ///< pages fetched ahead by `each_list_item`
};

/// A list assembled from pages.
struct PagedList {
  /// All items, with the revision of the *first* page.
  api::ObjectList list;
  /// Whether more than one page was requested.
  bool paginated = false;
};

/// Reads long lists in pages. Holds no state between calls. Any task may call any function, and
/// then the page function must allow that, too. Mirrors client-go tools/pager/pager.go, ListPager.
class ListPager {
 public:
  ListPager(runtime::Runtime& runtime, PageFunction page, ListPagerOptions options = {});

  /// Reads all pages and merges them. The first request carries the given options, plus the page
  /// size if they set no limit. Later requests carry the continue token but no revision, because
  /// the token contains one. A first answer without a token is returned unchanged.
  ///
  /// Errors: those of the page function. Expired on a later page means that the token's revision is
  /// gone: then everything is requested at once, with the original revision, and that answer is
  /// final. Cancelled if `stop` stops between two pages. Mirrors ListPager.List and ListWithAlloc.
  [[nodiscard]] api::Result<PagedList> list(const runtime::StopToken& stop,
                                            api::ListOptions options) const;

  /// Calls `visit` with every object, in the caller's task, while another task fetches up to
  /// `page_buffer_size` pages ahead. Ends with the first error of `visit` or of the page function,
  /// including Expired: there is no full list here. Later pages carry the revision of the options,
  /// as in the original, although `list` clears it: a server may refuse them. Mirrors
  /// ListPager.EachListItem.
  [[nodiscard]] api::Result<void> each_list_item(
      const runtime::StopToken& stop, api::ListOptions options,
      const std::function<api::Result<void>(const api::ObjectPtr&)>& visit) const;

 private:
  runtime::Runtime& runtime_;
  PageFunction page_;
  ListPagerOptions options_;
};

}  // namespace watchlab::pager
