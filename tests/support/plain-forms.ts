import { type HTMLElement, parse } from 'node-html-parser'

/** Returns the forms of a page that a browser without JavaScript could not send in full, each with the reason. */
export function brokenFormsIn(html: string): string[] {
  const page = parse(html)
  return page.querySelectorAll('form').flatMap((form) => {
    const id = form.getAttribute('id')
    const outside = id ? page.querySelectorAll(`[form="${id}"]`) : []
    const controls = [...form.querySelectorAll('button, input, select, textarea'), ...outside].filter(
      (control) => !isDisabled(control),
    )
    // A form of the preview: everything in it is disabled.
    if (controls.length === 0) return []
    // Password managers read a field that is not sent: the member's email address, read only.
    const fields = controls.filter(
      (control) => control.tagName !== 'BUTTON' && !control.hasAttribute('readonly'),
    )
    const reasons = [
      controls.some(submits) ? [] : 'has no button that sends it',
      fields.every((field) => field.getAttribute('name')) ? [] : 'has a field without a name',
      isWithin(form, isHidden) ? 'is hidden' : [],
    ].flat()
    return reasons.map((reason) => `the form to ${form.getAttribute('action') ?? 'this page'} ${reason}`)
  })
}

/** Whether the test is true of an element or one around it; `closest` compiles its selector each time. */
function isWithin(element: HTMLElement, test: (element: HTMLElement) => boolean): boolean {
  for (let each: HTMLElement | null = element; each?.tagName; each = each.parentNode)
    if (test(each)) return true
  return false
}

const isHidden = (element: HTMLElement) => element.hasAttribute('hidden')

function isDisabled(control: HTMLElement): boolean {
  const isOff = (element: HTMLElement) =>
    (element === control || element.tagName === 'FIELDSET') && element.hasAttribute('disabled')
  return isWithin(control, isOff)
}

function submits(control: HTMLElement): boolean {
  const type = control.getAttribute('type')
  const isButton = control.tagName === 'BUTTON' ? (type ?? 'submit') === 'submit' : type === 'submit'
  return isButton && !isWithin(control, isHidden)
}
