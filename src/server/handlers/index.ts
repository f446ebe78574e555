import type { Handlers, RouteContext } from '../route-context.ts'
import { attachmentHandlers } from './attachments.ts'
import { eventHandlers } from './events.ts'
import { logHandlers } from './logs.ts'
import { mcpHandlers } from './mcp.ts'
import { requestHandlers } from './requests.ts'
import { restoreHandlers } from './restore.ts'
import { serverHandlers } from './server.ts'
import { sessionHandlers } from './sessions.ts'
import { targetHandlers } from './targets.ts'
import { tokenHandlers } from './tokens.ts'
import { uploadHandlers } from './upload.ts'

/** A handler for every entry of the table that says it has one, and for no other. */
export function createHandlers(context: RouteContext): Handlers {
  return {
    ...requestHandlers(context),
    ...uploadHandlers(context),
    ...attachmentHandlers(context),
    ...eventHandlers(),
    ...logHandlers(context),
    ...restoreHandlers(context),
    ...tokenHandlers(context),
    ...targetHandlers(context),
    ...sessionHandlers(context),
    ...mcpHandlers(context),
    ...serverHandlers(context),
  }
}
