/**
 * Loads a page with `headers`. Rejects unless a 200 response arrives within 10 s. XMLHttpRequest parses the
 * response itself, because Trusted Types forbid parsing a string.
 */
export function loadPage(href: string, headers: Record<string, string> = {}): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.responseType = 'document'
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject())
    request.onerror = request.ontimeout = reject
    request.timeout = 10_000
    request.open('GET', href)
    for (const name in headers) request.setRequestHeader(name, headers[name] as string)
    request.send()
  })
}
