declare module 'virtual:remix/server-build' {
  const build: import('./router.server').LazyBuild
  export = build
}

/** Every route, made from routes.ts and the modules' handles (scripts/vite/pages.ts). */
declare module 'virtual:pages' {
  const pages: import('./handle').PageDeclaration[]
  export default pages
}

/** What the worker's entry knows of the public pages, made like 'virtual:pages'. */
declare module 'virtual:public-pages' {
  /** The cached pages, and the pages whose path a cached page's pattern matches. */
  export const cachedPages: import('./handle').PageDeclaration[]
  /** The patterns of the pages that exist in every language. */
  export const translatedPatterns: string[]
}
