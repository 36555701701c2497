import type { Text } from '../locales/i18n'

/**
 * What a route declares about its page: `export const handle: PageHandle = { cached: ['before', 'after'] }`.
 * Without a handle, a page is plain HTML, rendered for each visitor.
 */
export interface PageHandle<Data = unknown> {
  /**
   * The page differs between visitors only in its slots (slots.ts). The value lists the query parameters that
   * the page reads. The edge stores GET responses under the path and these parameters
   * (entry/edge/public-page.server.ts). The route's loaders use `context.publicData()`, because they usually run
   * without a visitor.
   */
  cached?: readonly string[]
  /** Further query parameters of a cached page, which the page reads only while FundMe is open. */
  whileFundMeOpen?: readonly string[]
  /**
   * The page needs Remix's script. `title` is here and not in `meta`, because Remix does not pass a refused
   * form to `meta` (page-title.tsx). Search engines index the page only if `isIndexed`.
   */
  hydrated?: { title: Text | ((query: URLSearchParams) => Text); isIndexed?: true }
  /** The address exists only while FundMe is open. The route's loader and action call `requireFundMe` too. */
  fundMe?: true
  /** The page exists in every language. So does each page with a component that is not private (scripts/vite/pages.ts). */
  translated?: true
  /**
   * The form of the page takes a picture of up to 10 MB, and other fields of so many bytes. `segments`: only if the path
   * has these, such as `{ kind: 'update' }` for '/operator/new/:kind'.
   */
  picture?: { otherFields: number; segments?: Record<string, string> }
  /** The page has a gold button to give, for some pages only with some data, so the Donate button of the bar is plain. */
  gives?: true | ((data: Data) => boolean)
  /** The seconds after which a page with this data reloads without JavaScript; null if it need not. */
  refresh?: (data: Data) => number | null
  /**
   * The page's script may request transactions from public endpoints of the chain (CHECK_RPC_URLS). The content security
   * policy of other pages forbids such requests.
   */
  requestsChain?: true
}

/** The handle of a route; empty for a route without a handle. Remix types each handle as unknown. */
export function readHandle(handle: unknown): PageHandle {
  return (handle ?? {}) as PageHandle
}

/** A route's pattern, such as '/voting/:pool', with what its handle declares; texts and functions are true. */
export type PageDeclaration = { pattern: string } & Pick<
  PageHandle,
  'cached' | 'whileFundMeOpen' | 'translated' | 'picture' | 'fundMe' | 'gives' | 'requestsChain'
> & { hydrated?: { title: true; isIndexed?: true } }
