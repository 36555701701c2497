declare module 'virtual:remix/server-build' {
  const build: import('./router.server').LazyBuild
  export = build
}

/** Every route, made from routes.ts and the modules' handles (scripts/vite/pages.ts). */
declare module 'virtual:pages' {
  const pages: import('./handle').PageDeclaration[]
  export default pages
  /** The patterns of the pages that exist in every language. */
  export const translatedPatterns: string[]
}
