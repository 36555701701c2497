import { type Cents, toCents } from '../platform/money.ts'

/** One line of a plan: a part of the target and its purpose. */
export interface PlanLine {
  /** Null while the draft has no amount in this line. */
  amount: Cents | null
  what: string
}

/** The lines of a published plan, in the format of private.move_goal: '400.00 Coats for 20 children'. */
export function readPlan(text: string): PlanLine[] {
  return text.split('\n').map((line) => {
    const [, amount, what] = /^(\d+\.\d\d) (.*)$/.exec(line) ?? []
    return amount === undefined ? { amount: null, what: line } : { amount: toCents(amount), what: what ?? '' }
  })
}

/** The sum of the lines. A line without an amount adds nothing. */
export function sumPlan(plan: readonly PlanLine[]): Cents {
  return plan.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}
