/** The maximum length of a message of the Kubernetes API that is passed on, in characters. */
export const MAX_MESSAGE_CHARS = 2_000;
/** The number of pods of one agent whose events are read. */
export const MAX_PODS_WITH_EVENTS = 20;
