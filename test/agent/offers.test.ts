import { withOffers } from '../support/offersServer.ts';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { questions } from './offers/questions.ts';
import { resources } from './offers/resources.ts';
import { sampling, samplingOfMore } from './offers/sampling.ts';
import { samplingReview } from './offers/samplingReview.ts';

describe('with a server that asks and offers everything:', () => {
  const useWindow = shareHostedWindow({ prepare: withOffers });

  resources(useWindow);
  questions(useWindow);
  // The first of the requests to a model: it counts them up to a limit of an hour.
  sampling(useWindow);
  samplingReview(useWindow);
  samplingOfMore(useWindow);
});
