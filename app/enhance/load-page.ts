/**
 * Loads a page and requests at least `version` of the site's data: the response may be older. Rejects unless it is a
 * 200 within 10 s.
 * XMLHttpRequest parses the response itself, because Trusted Types forbid parsing a string.
 */
export function loadPage(href: string, version?: number): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.responseType = 'document'
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject())
    request.onerror = request.ontimeout = reject
    request.timeout = 10_000
    request.open('GET', href)
    if (version) request.setRequestHeader('X-Version', `${version}`)
    request.send()
  })
}
