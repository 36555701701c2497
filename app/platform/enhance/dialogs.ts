import { clickedLink } from './clicked-link'
import { loadPage } from './load-page'

/**
 * A link with `data-dialog` opens the first section (`data-detail`, platform/ui/detail.tsx) of its page as a modal
 * dialog, at the URL of that page. If this fails, the link opens the page. Most visitors open no dialog, so
 * dialog.ts is loaded on demand.
 */
document.addEventListener('click', (event) => {
  const link = clickedLink(event, 'a[data-dialog]')
  if (!link) return
  event.preventDefault()
  void open(link.href, true)
})

/** The browser's Forward button opens a dialog again. */
addEventListener('popstate', () => {
  if (history.state?.dialog === location.href) void open(location.href, false)
})

let loading = false

async function open(href: string, push: boolean): Promise<void> {
  if (loading) return
  loading = true
  try {
    const [{ showDialog }, page] = await Promise.all([import('./dialog'), loadPage(href)])
    showDialog(page, href, push)
  } catch {
    location.assign(href)
  }
  loading = false
}
