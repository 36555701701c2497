/**
 * Handles the fragment that the auth service adds to a URL after '#': tokens (implicit flow) or an error.
 * Browsers do not send fragments to servers. First removes the fragment from the URL and the history. Few
 * visits have such a fragment, so auth-response.ts is loaded on demand.
 */
const fragment = new URLSearchParams(location.hash.slice(1))

if (fragment.has('access_token') || fragment.has('error')) {
  history.replaceState(history.state, '', location.pathname + location.search)
  void import('./auth-response').then(({ sendAuthResponse }) => sendAuthResponse(fragment))
}
