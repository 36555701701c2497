import { addCopyButtons } from './copying'
import { loadPage } from './load-page'

/**
 * A link with `data-dialog` opens a page's first section (`data-detail`, ui/detail.tsx) as a modal over this page, at
 * that page's address.
 */
let shown: { dialog: HTMLDialogElement; href: string; formerTitle: string } | undefined
let loading = false

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
    const page = await loadPage(href)
    const section = page.querySelector<HTMLElement>('[data-detail]')
    if (!section) throw new Error('no section')
    const dialog = document.createElement('dialog')
    dialog.className = 'detail'
    dialog.setAttribute('aria-labelledby', section.getAttribute('aria-labelledby') ?? '')
    const close = document.createElement('button')
    close.type = 'button'
    close.className = 'detail-close'
    close.dataset.close = ''
    close.setAttribute('aria-label', 'Close')
    close.textContent = '✕'
    dialog.appendChild(close)
    dialog.appendChild(section)
    document.body.appendChild(dialog)
    addCopyButtons(dialog)
    const formerTitle = document.title
    if (push) history.pushState({ dialog: href }, '', href)
    document.title = page.title
    show(dialog, { href, formerTitle })
  } catch {
    location.assign(href)
  } finally {
    loading = false
  }
}

function show(dialog: HTMLDialogElement, how: Omit<NonNullable<typeof shown>, 'dialog'>): void {
  dialog.showModal()
  shown = { dialog, ...how }
  dialog.addEventListener('close', () => {
    shown = undefined
    dialog.remove()
    document.title = how.formerTitle
    if (location.href === how.href) history.back()
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
