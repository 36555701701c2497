// React's build for edge runtimes, which the dev server uses in Node too. The import is a default import because the
// module is CommonJS.
import server from 'react-dom/server.browser'

export const { renderToStaticMarkup, renderToReadableStream } = server
