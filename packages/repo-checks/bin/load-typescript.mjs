/** Lets this process import the repository's TypeScript as it stands: types are stripped, packages resolve to their sources. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
