import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedCall {
  id: string
  name: string
  input: object
}

/**
 * A model that makes its calls, and says "Done." once it has the result of each. It speaks Anthropic's messages and OpenAI's
 * responses without streaming, as the frameworks use them.
 */
export async function startModel(calls: readonly ScriptedCall[]) {
  const seen: string[][] = []
  let holding = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const isResponses = request.url?.endsWith('/responses')
    const results = isResponses ? resultsOfResponses(body) : resultsOfMessages(body)
    if (results.length > 0) seen.push(results)
    // Never answers: the test ends the program here.
    if (results.length > 0 && holding) return
    const open = results.length === 0 ? calls : []
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isResponses ? responsesReply(open) : messagesReply(open)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'test-key',
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: 'test-key',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
    },
    /** The results that the model saw in its requests, one list for each. */
    seen,
    /** Whether the model stays silent once it has results. */
    hold(on: boolean) {
      holding = on
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface MessagesBody {
  messages: { content: string | { type: string; content?: unknown }[] }[]
}

function resultsOfMessages({ messages }: MessagesBody): string[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return parts.filter(({ type }) => type === 'tool_result').map(({ content }) => asText(content))
}

function resultsOfResponses({ input }: { input: { type?: string; output?: unknown }[] }): string[] {
  return input.filter(({ type }) => type === 'function_call_output').map(({ output }) => asText(output))
}

function asText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

function messagesReply(calls: readonly ScriptedCall[]) {
  const uses = calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_sequence: null },
    content: uses.length > 0 ? uses : [{ type: 'text', text: 'Done.' }],
    stop_reason: uses.length > 0 ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 10, output_tokens: 10 },
  }
}

function responsesReply(calls: readonly ScriptedCall[]) {
  const uses = calls.map(({ id, name, input }) => ({
    ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(input) },
    status: 'completed',
  }))
  const text = { type: 'output_text', text: 'Done.', annotations: [] }
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] }
  const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5', status: 'completed', error: null },
    ...{ output: uses.length > 0 ? uses : [message], usage, incomplete_details: null },
  }
}
