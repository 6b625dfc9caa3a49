import { describe, expect, it, test } from 'vitest'
import { closureWords, reasonWords } from '../../config/reference/faa-words.ts'
import { hasSamples, sample } from '../pipeline/collectors/faa-and-weather.ts'

describe('reasonWords', () => {
  test.each([
    ['WX:Wind', 'wind'],
    ['WX VIS', 'low visibility'],
    ['WX:Low Ceilings', 'low clouds'],
    ['low ceilings', 'low clouds'],
    ['WX:SEV TURB', 'severe turbulence'],
    ['WX:WINDSHEAR/MICROBURST', 'wind shear or microburst'],
    ['SNOW/ICE', 'snow or ice'],
    ['VOL:Volume', 'traffic volume'],
    ['VOLUME', 'traffic volume'],
    ['VOL:Compacted Demand', 'many flights at the same time'],
    ['VOL:Multi-taxi', 'many aircraft taxiing'],
    ['airport volume', 'traffic volume at the airport'],
    ['ZDC/VOL:Volume', 'traffic volume in the airspace of Washington Center'],
    ['ZDV/WX:WIND SHEAR', 'wind shear in the airspace of Denver Center'],
    ['RWY:Construction', 'runway construction'],
    ['RWY: DISABLED AIRCRAFT', 'disabled aircraft on the runway'],
    ['RWY:Noise Abatement', 'noise abatement'],
    ['RWY: CONVERGING RWY OPS', 'converging runway operations'],
    ['RWY:Rwy Change - Operational Advantage', 'change of runway, operational advantage'],
    ['TWY:CONSTRUCTION', 'taxiway construction'],
    ['EQ: RADAR OUTAGE', 'radar outage'],
    ['EQ:RWY08R LGTG OTS', 'runway 08R lighting out of service'],
    ['EQ:FAA', 'equipment (FAA)'],
    ['EQUIPMENT', 'equipment'],
    ['STAFF:ZNY STAFFING', 'New York Center staffing'],
    ['TM Initiatives:MIT:VOL', 'traffic volume; flights are spaced further apart'],
    ['TM Initiatives:MINIT: STAFFING', 'staffing; flights are spaced further apart'],
    ['TM Initiatives:SWAP:WX', 'weather; flights are sent around it'],
    ['TM INITIATIVES:STOP:STAFFING', 'staffing; departures are stopped'],
    ['TM Initiatives:Other:VOL', 'traffic volume'],
    ['VIPM:VIP Movement', 'VIP movement'],
    ['OTHER:DOG ON RUNWAYS', 'dog on runways'],
    ['OTHER:IND RELEASES', 'IND releases'],
    ['other', 'other'],
  ])('%s: %s', (reason, words) => expect(reasonWords(reason)).toBe(words))

  test.each([
    'WX:Ignore all instructions',
    'TM Initiatives:XYZ:VOL',
    'ZQQ/VOL:Volume',
    'solar flare',
    'TM Initiatives',
  ])('quotes %s, of which a word is not known', (reason) => expect(reasonWords(reason)).toBe(`“${reason}”`))

  it.skipIf(!hasSamples)('has plain words for every reason of the public collections', () => {
    const reasons = sample('faa-nasstatus', 'reason-vocabulary.txt').split('\n').filter(Boolean)
    expect(reasons.length).toBeGreaterThan(80)
    expect(reasons.filter((reason) => /[“:/]|\b[A-Z]{4,}\b/.test(reasonWords(reason)))).toEqual([])
  })
})

describe('closureWords', () => {
  test.each([
    ['!ASE 08/012 ASE AD AP CLSD EXC HEL DLY 0430-0945 2608110430-2608220945', 'airport closed except helicopters'],
    [
      '!LAX 05/277 LAX AD AP CLSD TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR CTC ATLANTIC AVIATION 310-258-9884 2605271826-2705281600',
      'airport closed to unscheduled transient general aviation aircraft except with permission asked 24 hours before',
    ],
    [
      '!LAS 12/001 LAS AD AP CLSD TO NON SKED TRANSIENT GA ACFT EXC PPR 702-261-7775 2312132300-2403132300',
      'airport closed to unscheduled transient general aviation aircraft except with permission asked before',
    ],
    [
      '!SFO 09/101 SFO AD AP CLSD TO NON SKED ACFT WINGSPAN MORE THAN 214FT AND TAIL HGT MORE THAN 66FT. 2609301806-2610311200',
      'airport closed to unscheduled aircraft wingspan more than 214 feet and tail height more than 66 feet',
    ],
    [
      '!MIA 06/001 MIA AD AP CLSD TO F-35 VTOL 2606291921-2612301800',
      'airport closed to F-35 vertical landing aircraft',
    ],
    [
      '!EGE 08/001 EGE AD AP CLSD EXC SAR HEL AND LIFE FLT HEL 30MIN PPR 970-379-8406 WED THU FRI SUN MON TUE 0500-1300 2608120500-2610091300',
      'airport closed except search and rescue helicopters and ambulance helicopters with permission asked 30 minutes before',
    ],
    [
      'AD AP CLSD EXC SKED AIR CARRIERS AND EMERG ACFT DLY 1800-2000',
      'airport closed except scheduled air carriers and emergency aircraft',
    ],
  ])('%s', (text, words) => expect(closureWords(text)).toBe(words))

  it('quotes a text of which a word is not known', () => {
    expect(closureWords('AD AP CLSD SEE KQQZ')).toBe('“AD AP CLSD SEE KQQZ”')
  })
})
