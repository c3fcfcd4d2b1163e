/** The method of the notification that carries an event to a follower. @spec §6 */
export const EVENT_NOTIFICATION = 'notifications/gateway/event';

/** Maximum of the argument `limit` of `core_events`. @spec §6 */
export const MAX_EVENTS = 1_000;

/** Default of the argument `limit` of `core_events`. @spec §6 */
export const DEFAULT_EVENTS = 50;
