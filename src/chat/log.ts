export interface ChatLog {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}
