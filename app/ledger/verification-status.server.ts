import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server'
import { statuses } from './statuses'

/** The columns of a verification status, which the published views share. */
export const verificationColumns = {
  status: z.enum(statuses),
  checkedAt: z.nullable(timestampColumn),
  unreachableAt: z.nullable(timestampColumn),
}
