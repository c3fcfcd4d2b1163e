import { ANONYMOUS } from '@gateway/call-contract';
import type { Downstream } from '../supervision/downstream.ts';
import type { PersonalFacts } from './personal-contract.ts';

/** Returns the servers with connections of persons. They are the same for all persons. */
export const personalFacts = (downstream: Downstream): readonly PersonalFacts[] => {
  const known = downstream.personalFeatures();
  return downstream.personal(ANONYMOUS).map(({ server }) => {
    const features = known.get(server);
    return features === undefined ? { server } : { server, features };
  });
};
