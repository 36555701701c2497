/**
 * The script of a goal's form. It saves the entered values 3 seconds after the last keystroke and when the
 * page is hidden, and shows whether the values are saved. A save sends the same values as the button 'Save',
 * without the picture.
 */
import { say } from '~/platform/locales/say'
import type { autosaveSentences } from './autosave-sentences'

const pause = 3_000
/** The minimum time between two saves of a visible page. */
const interval = 5_000

const form = document.querySelector<HTMLFormElement>('form[data-autosave]')
const status = form?.querySelector('[role=status]')
const version = form?.querySelector<HTMLInputElement>('[name=version]')
if (form && status && version) {
  let timer = 0
  let savedAt = 0
  let isChanged = false
  let isSaving = false
  /** The button that was pressed during a save: the script presses it again after the save. */
  let pressed: HTMLElement | null | undefined

  const saveIn = (delay: number) => {
    clearTimeout(timer)
    timer = window.setTimeout(save, Math.max(delay, savedAt + interval - Date.now()))
  }

  const save = async () => {
    clearTimeout(timer)
    if (!isChanged || isSaving) return
    isChanged = false
    isSaving = true
    savedAt = Date.now()
    const typed = new FormData(form)
    for (const name of ['picture', 'picture_remove']) typed.delete(name)
    const answer = await fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams(typed as never),
      redirect: 'manual',
      keepalive: true,
    }).catch(() => null)
    isSaving = false
    // The response to a saved draft is a redirect to the page of the draft.
    if (answer?.type === 'opaqueredirect') {
      version.value = version.value ? `${Number(version.value) + 1}` : '0'
      form.action = form.action.replace('?new', '')
      history.replaceState(null, '', form.action)
      status.textContent = say<typeof autosaveSentences>('saved', {
        time: new Date().toISOString().slice(11, 16),
      })
    } else {
      const { status: code = 503 } = answer ?? {}
      const isAway = code === 429 || code > 499
      status.textContent = say<typeof autosaveSentences>(
        isAway ? 'noConnection' : code === 401 ? 'signedOut' : code === 409 ? 'changed' : 'refused',
      )
      if (isAway) {
        isChanged = true
        saveIn(interval)
      }
    }
    if (pressed !== undefined) form.requestSubmit(pressed)
    else if (isChanged) saveIn(pause)
  }

  form.addEventListener('input', () => {
    isChanged = true
    saveIn(pause)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) save()
  })
  form.addEventListener('submit', (event) => {
    if (isSaving) {
      event.preventDefault()
      pressed = event.submitter
    } else {
      isChanged = false
      clearTimeout(timer)
    }
  })
}
