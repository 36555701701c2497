/** Sends the auth service's response, which is in the fragment of the URL, to the server. */
export async function sendAuthResponse(fragment: URLSearchParams): Promise<void> {
  const address = new URL(location.href)
  if (fragment.has('access_token')) {
    // The server verifies the tokens, and returns the path of the next page.
    fragment.set('page', address.pathname + address.search)
    const response = await fetch('/auth/implicit', { method: 'POST', body: fragment }).catch(() => null)
    if (response?.ok) location.replace(((await response.json()) as { to: string }).to)
    return
  }
  // The server shows the message and removes the parameters.
  for (const name of ['error', 'error_code']) address.searchParams.set(name, fragment.get(name) ?? '')
  location.replace(address)
}
