/**
 * The script of the second step of /donate: keeps the entered amount in this tab, for a visitor who returns
 * to the step.
 */

const form = document.querySelector<HTMLFormElement>('form[data-other-amount]')
const field = form?.querySelector('input')
if (form && field) {
  const key = `amount of ${new URL(form.action).searchParams.get('token')}`
  try {
    field.value ||= sessionStorage.getItem(key) ?? ''
    field.addEventListener('input', () => {
      try {
        sessionStorage.setItem(key, field.value)
      } catch {
        // The storage is full.
      }
    })
  } catch {
    // Browsers may forbid storage.
  }
}
