import { faceSuite } from './face.suite.ts';
import { startHttpFace } from './face.ts';

faceSuite('the endpoint on node:http', startHttpFace);
