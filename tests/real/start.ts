/** `npm run test:real -- start`: an empty site beside a project's services, with addresses and keys. */
import postgresCluster from '../support/postgres-cluster.ts'
import { startPictures, startSiteWithBackend } from '../support/site.ts'

export async function startByHand(): Promise<void> {
  const stopCluster = await postgresCluster()
  const site = await startSiteWithBackend({ mail: true })
  await startPictures(site.backend)
  console.log(`site ${site.url}`)
  console.log(`backend ${site.backend.url}`)
  console.log(`emails ${site.backend.mailUrl}`)
  console.log(`publishable key ${site.backend.publishableKey}`)
  console.log(`secret key ${site.backend.secretKey}`)
  await new Promise((resolve) => process.once('SIGINT', resolve))
  await site.close()
  await stopCluster?.()
}
