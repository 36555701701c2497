/**
 * Handles the fragment that the auth service adds to a URL after '#': tokens (implicit flow) or an error. Browsers do
 * not send fragments to servers. The fragment is first removed from the URL and the history.
 */
const fragment = new URLSearchParams(location.hash.slice(1))
const page = location.pathname + location.search

if (fragment.has('access_token')) {
  history.replaceState(history.state, '', page)
  void sendTokens()
} else if (fragment.has('error')) {
  // The server shows the message and removes the parameters.
  history.replaceState(history.state, '', page)
  const address = new URL(location.href)
  for (const name of ['error', 'error_code']) address.searchParams.set(name, fragment.get(name) ?? '')
  location.replace(address)
}

/** Lets the server verify the tokens. Its response names the next page. */
async function sendTokens(): Promise<void> {
  fragment.set('page', page)
  const response = await fetch('/auth/implicit', { method: 'POST', body: fragment }).catch(() => null)
  if (response?.ok) location.replace(((await response.json()) as { to: string }).to)
}
