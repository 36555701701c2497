/** The slug of a goal, as the database makes it at the first submission (submit_goal). */
const goalSlugPattern = /^goal-[a-z]{8}$/

/** Whether a text is the slug of a goal. The goal may not exist. */
export function isGoalSlug(text: string | null | undefined): text is string {
  return goalSlugPattern.test(text ?? '')
}
