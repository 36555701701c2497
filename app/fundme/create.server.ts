import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod'

const needed = (message: string) => z.string({ error: message }).trim().min(1, message)

const campaign = z.object({
  title: needed('Title is required'),
  category: needed('Category is required'),
  targetAmount: z
    .number({
      error: (issue) =>
        issue.input === undefined ? 'Target amount is required' : 'Target amount must be a number',
    })
    .positive('Target amount must be more than 0'),
  description: needed('Description is required'),
  image: z.url({
    protocol: /^https$/,
    error: (issue) =>
      issue.input === undefined ? 'Image URL is required' : 'Image must be a URL that starts with https://',
  }),
  proof: z.string().trim().optional(),
})

/** Parses the form 'Create Fund Pool'. Only tests call it until FundMe opens. The target is in US dollars. */
export function parseCampaign(form: FormData) {
  return parseWithZod(form, { schema: campaign })
}
