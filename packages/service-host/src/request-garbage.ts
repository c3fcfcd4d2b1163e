import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate the objects of requests in the young generation always. By default V8 allocates objects of places whose first objects
 * lived long, such as those of the start, in the old generation, where they hold the other objects of their request until a full collection.
 * Call it before the first request.
 */
export const keepRequestGarbageYoung = (): void => {
  setFlagsFromString('--no-allocation-site-pretenuring');
};
