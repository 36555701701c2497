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
      form.closest('[hidden]') ? 'is hidden' : [],
    ].flat()
    return reasons.map((reason) => `the form to ${form.getAttribute('action') ?? 'this page'} ${reason}`)
  })
}

function isDisabled(control: HTMLElement): boolean {
  return control.hasAttribute('disabled') || control.closest('fieldset[disabled]') !== null
}

function submits(control: HTMLElement): boolean {
  const type = control.getAttribute('type')
  const isButton = control.tagName === 'BUTTON' ? (type ?? 'submit') === 'submit' : type === 'submit'
  return isButton && !control.closest('[hidden]')
}
