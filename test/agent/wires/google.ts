import { callsOf, type Item, pieces, usageOf, type Wire } from './wire.ts'

interface Body {
  systemInstruction?: { parts: Part[] }
  tools?: { functionDeclarations?: { name: string }[] }[]
  toolConfig?: unknown
  contents: { role: 'user' | 'model'; parts: Part[] }[]
}

interface Part {
  text?: string
  inlineData?: { mimeType: string; data: string }
  functionCall?: { id?: string; name: string; args: unknown }
  functionResponse?: { id?: string; name: string; response: { content?: string; output?: string; error?: string } }
}

export const googleWire: Wire = {
  path: ':streamGenerateContent',

  read(body: Body) {
    // Google's calls have no ids: a result belongs to the first call of the same name that has no result yet.
    const open: { name: string; id: string }[] = []
    let count = 0
    const items = body.contents.flatMap(({ role, parts }) =>
      parts.filter(({ inlineData }) => !inlineData).map(part => itemOf(role, part)),
    )
    return {
      wire: 'google',
      system: (body.systemInstruction?.parts ?? []).map(({ text }) => text).join('\n'),
      tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      toolChoice: body.toolConfig ?? null,
      items,
      images: body.contents.flatMap(({ parts }) =>
        parts.flatMap(({ inlineData }) =>
          inlineData ? [`data:${inlineData.mimeType};base64,${inlineData.data}`] : [],
        ),
      ),
      size: JSON.stringify(body).length,
    }

    function itemOf(role: 'user' | 'model', { text, functionCall, functionResponse }: Part): Item {
      if (functionCall) {
        count += 1
        const id = functionCall.id ?? `${functionCall.name}-${count}`
        open.push({ name: functionCall.name, id })
        return { type: 'call', id, name: functionCall.name, input: functionCall.args }
      }
      if (functionResponse) {
        const at = open.findIndex(({ name }) => name === functionResponse.name)
        const [call] = at < 0 ? [] : open.splice(at, 1)
        const { content, output, error } = functionResponse.response
        const text = content ?? output ?? error ?? ''
        return { type: 'result', id: call?.id ?? 'unknown', output: text, failed: error !== undefined }
      }
      return { type: role === 'user' ? 'user' : 'assistant', text: text ?? '' }
    }
  },

  *write(reply, count) {
    const counted = usageOf(reply)
    const usageMetadata = counted
      ? { promptTokenCount: counted.input, candidatesTokenCount: counted.output }
      : undefined
    for (const text of pieces(reply.text ?? '')) yield event([{ text }])
    for (const { name, input } of callsOf(reply, count)) yield event([{ functionCall: { name, args: input } }])
    yield `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }], usageMetadata })}\n\n`
  },
}

function event(parts: unknown[]): string {
  return `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0 }] })}\n\n`
}
