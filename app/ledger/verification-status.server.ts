import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import { statuses } from './statuses'

/** The columns of a verification status, which the published views share. */
export const verificationColumns = {
  status: z.enum(statuses),
  checkedAt: timestampColumn.nullable(),
  unreachableAt: timestampColumn.nullable(),
}
