interface ImportMetaEnv {
  /** Identifies the build. */
  readonly RELEASE: string
}

declare module 'virtual:remix/server-build' {
  const build: import('@remix-run/cloudflare').ServerBuild
  export = build
}

declare module 'react-dom/server.browser' {
  const server: Pick<typeof import('react-dom/server'), 'renderToStaticMarkup' | 'renderToReadableStream'>
  export default server
}
