import { describe, expect, it } from 'vitest'
import {
  detectProtocol,
  parseDependencyRequest,
  parseUserQuestion,
  validateAnswer,
  validateDependencyValue,
} from '../../src/blocks/index.ts'

describe("the question protocol's own tests", () => {
  it('should parse question with options', () => {
    const output = `
[USER_QUESTION]
category: business
question: What pricing model?
options: [Subscription, Freemium, Ad-based]
default: Freemium
required: false
[/USER_QUESTION]
      `
    const result = parseUserQuestion(output)
    expect(result).toEqual({
      category: 'business',
      question: 'What pricing model?',
      options: ['Subscription', 'Freemium', 'Ad-based'],
      default: 'Freemium',
      required: false,
    })
  })

  it('should parse question without options', () => {
    const output = `
[USER_QUESTION]
category: clarification
question: What is the target user age range?
required: true
[/USER_QUESTION]
      `
    const result = parseUserQuestion(output)
    expect(result).toEqual({
      category: 'clarification',
      question: 'What is the target user age range?',
      options: undefined,
      default: undefined,
      required: true,
    })
  })

  it('should validate answer from options', () => {
    const question = { options: ['Subscription', 'Freemium', 'Ad-based'], required: true }
    expect(validateAnswer(question, 'Freemium').valid).toBe(true)
  })

  it('should reject answer not in options', () => {
    const result = validateAnswer({ options: ['Subscription', 'Freemium'], required: true }, 'Other')
    expect(result).toMatchObject({ valid: false, error: expect.stringContaining('must be one of') })
  })

  it('should reject empty answer for required question', () => {
    const result = validateAnswer({ required: true }, '')
    expect(result).toMatchObject({ valid: false, error: expect.stringContaining('required') })
  })
})

describe("the dependency protocol's own tests", () => {
  it('should parse valid dependency request', () => {
    const output = `
[DEPENDENCY_REQUEST]
type: api_key
name: OPENAI_API_KEY
description: Required for AI features
required: true
[/DEPENDENCY_REQUEST]
      `
    const result = parseDependencyRequest(output)
    expect(result).toEqual({
      type: 'api_key',
      name: 'OPENAI_API_KEY',
      description: 'Required for AI features',
      required: true,
    })
  })

  it('should return null for invalid format', () => {
    expect(parseDependencyRequest('Just some regular text')).toBeNull()
  })

  it('should return null for missing required fields', () => {
    const output = `
[DEPENDENCY_REQUEST]
type: api_key
name: OPENAI_API_KEY
[/DEPENDENCY_REQUEST]
      `
    expect(parseDependencyRequest(output)).toBeNull()
  })

  it('should validate API key', () => {
    expect(validateDependencyValue('api_key', 'sk-1234567890abcdef').valid).toBe(true)
  })

  it('should reject short API key', () => {
    expect(validateDependencyValue('api_key', 'short').error).toContain('too short')
  })

  it('should validate service URL', () => {
    expect(validateDependencyValue('service', 'https://api.example.com').valid).toBe(true)
  })

  it('should reject non-HTTP URL', () => {
    expect(validateDependencyValue('service', 'ftp://example.com').valid).toBe(false)
  })

  it('should reject path traversal', () => {
    expect(validateDependencyValue('file', '../../../etc/passwd').error).toContain('traversal')
  })
})

describe('detectProtocol', () => {
  const question = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\n[/USER_QUESTION]\n'
  const dependency = '[DEPENDENCY_REQUEST]\ntype: file\nname: LOGO\ndescription: The logo\n[/DEPENDENCY_REQUEST]\n'

  it.each([
    [question, { category: 'choice', question: 'Which?', required: true }],
    [dependency, { type: 'file', name: 'LOGO', description: 'The logo', required: true }],
    ['=== PHASE 1 COMPLETE ===\n- a\n', { phase: 1, title: 'Phase 1', completed: null, files: ['a'] }],
    ['=== CUSTOM TASK COMPLETE ===\nTask: t\n', { task: 't', summary: null, files: [] }],
    ['[ERROR]\nmessage: x\n[/ERROR]\n', { type: null, message: 'x', details: null, recovery: null, fatal: false }],
  ])('returns the contents of the block %j', (output, expected) => {
    expect(detectProtocol(`text\n${output}text`)).toEqual(expected)
  })

  it('returns the first of several blocks', () => {
    expect(detectProtocol(dependency + question)).toHaveProperty('name', 'LOGO')
    expect(detectProtocol(question + dependency)).toHaveProperty('question', 'Which?')
  })

  it('ignores malformed and fenced blocks', () => {
    expect(
      detectProtocol(`[USER_QUESTION]\n[/USER_QUESTION]\n\`\`\`\n${question}\`\`\`\n${dependency}`),
    ).toHaveProperty('name')
  })

  it.each(['', 'text', '[USER_QUESTION]', `\`\`\`\n${question}\`\`\``, 'about [USER_QUESTION] blocks'])(
    'returns null for %j',
    output => expect(detectProtocol(output)).toBeNull(),
  )

  it('parses the first well-formed block of its kind', () => {
    const bad = '[USER_QUESTION]\nquestion: no category\n[/USER_QUESTION]\n'
    expect(parseUserQuestion(bad)).toBeNull()
    expect(parseUserQuestion(dependency + bad + question)).toHaveProperty('question', 'Which?')
    expect(parseDependencyRequest(question + dependency)).toHaveProperty('name', 'LOGO')
  })
})
