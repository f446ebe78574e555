// All of the AI SDK that the agent uses. The build makes one file of it, which is loaded when a model is first called: nobody
// installs the SDK, and no other command waits for it.
export { createAnthropic } from '@ai-sdk/anthropic'
export { createGoogleGenerativeAI } from '@ai-sdk/google'
export { createOpenAI } from '@ai-sdk/openai'
export { createOpenAICompatible } from '@ai-sdk/openai-compatible'
export { jsonSchema, streamText } from 'ai'
