// A file of its own in the build, which is loaded when a push message is first sent.
export { default as webPush } from 'web-push'
