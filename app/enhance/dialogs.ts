import { addCopyButtons } from './copying'

/** The dialog that is open as a modal, under which address, and how the page was called before. */
let shown: { dialog: HTMLDialogElement; href: string; formerTitle: string; openedHere: boolean } | undefined
let loading = false

/** A detail opens over the page that links to it: its own page is fetched, and the dialog taken from it. */
document.addEventListener('click', (event) => {
  const target = event.target as Element
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return
  if (shown && (target === shown.dialog ? isOutside(event, target) : target.closest('[data-close]'))) {
    event.preventDefault()
    shown.dialog.close()
    return
  }
  const link = target.closest<HTMLAnchorElement>('a[data-dialog]')
  if (!link) return
  event.preventDefault()
  void open(link.href, true)
})

async function open(href: string, push: boolean): Promise<void> {
  if (loading || shown) return
  loading = true
  try {
    const page = await load(href)
    const dialog = page.querySelector<HTMLDialogElement>('dialog.detail')
    if (!dialog) throw new Error('no dialog')
    const formerTitle = document.title
    document.body.appendChild(dialog)
    addCopyButtons(dialog)
    if (push) history.pushState({ dialog: href }, '', href)
    document.title = page.title
    show(dialog, { href, formerTitle, openedHere: true })
  } catch {
    location.assign(href)
  } finally {
    loading = false
  }
}

/** XMLHttpRequest parses a page without passing through a string, which Trusted Types would refuse. */
function load(href: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.responseType = 'document'
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject())
    request.onerror = request.ontimeout = reject
    request.timeout = 10_000
    request.open('GET', href)
    request.send()
  })
}

function show(dialog: HTMLDialogElement, how: Omit<NonNullable<typeof shown>, 'dialog'>): void {
  dialog.open = false
  dialog.showModal()
  shown = { dialog, ...how }
  dialog.addEventListener('close', () => {
    shown = undefined
    const left = location.href !== how.href
    if (!how.openedHere && !left) {
      location.assign(dialog.querySelector<HTMLAnchorElement>('[data-close]')?.href ?? '/')
      return
    }
    dialog.remove()
    document.querySelector('[inert]')?.removeAttribute('inert')
    document.title = how.formerTitle
    if (!left) history.back()
  })
}

function isOutside({ clientX, clientY }: MouseEvent, element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** Back closes, forward opens again. */
addEventListener('popstate', () => {
  if (shown && location.href !== shown.href) shown.dialog.close()
  else if (!shown && history.state?.dialog === location.href) void open(location.href, false)
})

const own = document.querySelector<HTMLDialogElement>('dialog.detail[open]')
if (own) show(own, { href: location.href, formerTitle: document.title, openedHere: false })
