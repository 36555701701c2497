/**
 * What the auth service puts behind the '#' of an address, which no server sees: tokens (implicit flow) or an
 * error. It is taken out of the address and the history before anything else happens.
 */
const fragment = new URLSearchParams(location.hash.slice(1))
const page = location.pathname + location.search

if (fragment.has('access_token')) {
  history.replaceState(history.state, '', page)
  void offer()
} else if (fragment.has('error')) {
  // The server has the words, and takes the parameters out again.
  history.replaceState(history.state, '', page)
  const address = new URL(location.href)
  for (const name of ['error', 'error_code']) address.searchParams.set(name, fragment.get(name) ?? '')
  location.replace(address)
}

/** Has the server verify the tokens. It says where to go on: to a page that offers to continue, or back here. */
async function offer(): Promise<void> {
  fragment.set('page', page)
  const response = await fetch('/auth/implicit', { method: 'POST', body: fragment }).catch(() => null)
  if (response?.ok) location.replace(((await response.json()) as { to: string }).to)
}
