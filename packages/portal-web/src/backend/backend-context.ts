import { createContext, useContext } from 'react';
import type { Backend } from './backend.ts';

/** The services of the page. */
export const BackendContext = createContext<Backend | undefined>(undefined);

/** Returns the services of the page. Throws outside of the application. */
export const useBackend = (): Backend => {
  const backend = useContext(BackendContext);
  if (backend === undefined) throw new Error('no backend');
  return backend;
};
