export const demoReviews = [
  {
    id: 'review-1',
    instrumentId: 'cello-4-4',
    rating: 5,
    name: 'Mara',
    img: '/art/avatar.svg',
    description:
      'I ordered two cellos for the school and played both before the pupils could. The darker one stayed with me a day longer.',
  },
  {
    id: 'review-2',
    instrumentId: 'flugelhorn-bb',
    rating: 4,
    name: 'Tomas',
    img: '/art/avatar.svg',
    description:
      'The flugelhorn slots better than my old one, and the third slide moves without a fight. Packed so well that unpacking took a while.',
  },
  {
    id: 'review-3',
    instrumentId: 'violin-3-4',
    rating: 5,
    name: 'Ines',
    img: '/art/avatar.svg',
    description:
      'Ten student violins, all set up, not one bridge to recut. My Saturday was free for the first time in September.',
  },
  {
    id: 'review-4',
    name: 'Joon',
    img: '/art/avatar.svg',
    description:
      'The page loads on the bus. I cancelled one clarinet before paying and it took one press, with no questions asked.',
  },
  {
    id: 'review-5',
    instrumentId: 'bassoon',
    rating: 5,
    name: 'Adaeze',
    img: '/art/avatar.svg',
    description:
      'The bassoon came with its tenor register in place. Seven weeks on, still no leak, and the boot has not moved.',
  },
  {
    id: 'review-6',
    instrumentId: 'recorder-alto',
    rating: 5,
    name: 'Piet',
    img: '/art/avatar.svg',
    description:
      'Six recorders in tune with each other. If you have ever taught a class of nine-year-olds, you know what that is worth.',
  },
]
