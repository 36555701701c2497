/** The slug of a goal, which the database creates at the first submission (submit_goal). */
const goalSlugPattern = /^goal-[a-z]{8}$/

/** True if a text has the form of a goal's slug. The goal may not exist. */
export function isGoalSlug(text: string | null | undefined): text is string {
  return goalSlugPattern.test(text ?? '')
}
