-- Names as they are searched for: one spelling for everything a reader takes for the same word. Its twin in JavaScript is
-- src/lib/search-name.ts, and a test compares the two character by character.
--
-- Nothing here depends on the locale: lower() under "C" knows A to Z only, other capitals are listed, and characters are
-- recognised by their numbers. The cost of translate() is the length of the name times the length of the list, so the name
-- is first tested for which list it needs. Neither function is declared strict, although null gives null: a strict function
-- around a case is not inlined, and the call would cost more than most names do.

-- For the indexes on these names: trigrams, and the company beside them in the same index.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The letters of a name in lower case, decomposed, each in one variant; accents are removed later. For names that have
-- more than Arabic and ASCII.
create function search_letters(name text) returns text language sql immutable parallel safe
return replace(replace(replace(replace(
  translate(
    translate(
      -- Invisible characters are removed before decomposing: between two marks they would keep them from being sorted.
      lower(normalize(regexp_replace(name,
        '[\u034f\u1abe\u180b-\u180f\ufe00-\ufe0f\u20dd-\u20e4\u0488\u0489\u00ad\u02be\u02bf\u061c\u0640\u0674'
        '\u06e5\u06e6\u0890\u0891\u08c9\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufc5e-\ufc63'
        '\ufcf2-\ufcf4\ufe70-\ufe7f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+',
        '', 'g'), NFKD) collate "C"),
      case
        when name !~ '[^\u0001-\u007f\u0400-\u045f\u2010-\u2027]' then 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ'
        -- More than accented Latin and scripts without capitals.
        when name ~
          '[^\u0001-\u00c5\u00c7-\u00cf\u00d1-\u00d7\u00d9-\u00dd\u00df-\u00ef\u00f1-\u00f7\u00f9-\u010f'
          '\u0112-\u0125\u0128-\u0130\u0132-\u0140\u0143-\u0149\u014c-\u0151\u0154-\u0165\u0168-\u017f'
          '\u0218-\u021b'
          '\u0600-\u109f\u2000-\u20ff\u2190-\u2bff\u3000-\u33bf\u3400-\ua63f\uac00-\uffff\U0001f000-\U000fffff]'
          then 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩÆÐØÞĐĦŁŊŒŦẞðøđħłŧıς'
        else ''
      end,
      'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґαβγδεζηθικλμνξοπρστυφχψωædoþdhlŋœtßdodhltiσ'),
    -- Rare capitals.
    case
      when name ~
        '[^\u0001-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0300-\u036f\u0384-\u03ce\u0400-\u045f\u0490\u0491'
        '\u1e00-\u1ef9'
        '\u0600-\u109f\u2000-\u20ff\u2190-\u2bff\u3000-\u33bf\u3400-\ua63f\uac00-\uffff\U0001f000-\U000fffff]'
        then 'ƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎỺỼỾͰͲͶͿϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿѠѢѤѦѨѪѬѮѰѲѴ'
          'ѸѺѼѾҀҊҌҎҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄ'
          'ՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿ'
      else ''
    end,
    'ɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏỻỽỿͱͳͷϳϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѡѣѥѧѩѫѭѯѱѳѵ'
    'ѹѻѽѿҁҋҍҏғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմ'
    'յնշոչպջռսվտրցւփքօֆაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿ'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

create function search_name(name text) returns text language sql immutable parallel safe
return btrim(regexp_replace(regexp_replace(
  case
    when octet_length(name) = length(name) then lower(name collate "C")
    else translate(
      -- The hamza above is removed after the other marks, because ئو and ؤو are spellings of one sound: مسئول is مسؤول.
      replace(replace(replace(replace(regexp_replace(
        case
          when name !~ '[^\u0001-\u00a7\u00ab\u00bb\u0600-\u0674\u0679-\u06ff\u200b-\u2027]' then lower(name collate "C")
          else search_letters(name)
        end,
        -- Accents, vowels and Quranic marks, a madda that was split off, tatweel, and characters without width.
        '[\u0300-\u036f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1'
        '\u05c2\u05c4\u05c5\u05c7\ufb1e\u0610-\u061a\u061c\u0640\u064b-\u0653\u0655-\u065f\u0670\u0674\u06d6-\u06dc'
        '\u06df-\u06e8\u06ea-\u06ed\u0730-\u074a\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u02be\u02bf\u200b-\u200f]+',
        '', 'g'), E'ي\u0654', 'ئ'), E'\u0654', ''), 'ؤ', 'و'), 'ئو', 'وو'),
      -- Arabic, Arabic with its digits, and every language in Arabic letters; each list begins with the one before it.
      case
        when name !~ '[^\u0001-\u00a7\u00ab\u00bb\u0600-\u065f\u200b-\u2027]' then 'أإآةىئ'
        when name !~ '[^\u0001-\u00a7\u00ab\u00bb\u0600-\u066f\u200b-\u2027]' then 'أإآةىئ٠١٢٣٤٥٦٧٨٩'
        when name ~ '[\u0600-\u06ff\ufb50-\ufeff]' then 'أإآةىئ٠١٢٣٤٥٦٧٨٩ٱٲٳکڪیےۓۀہۂۃەھ۰۱۲۳۴۵۶۷۸۹'
        else ''
      end,
      'اااهيي0123456789اااككيييهههههه0123456789')
  end,
  -- Thousands separators, with one to three digits before them and three after. What precedes the comma is tested after
  -- the comma has matched: tested first, it would be tested at every character.
  '[,\u060c\u066c](?<=[0-9].)(?<![0-9]{4}.)(?=[0-9]{3}(?![0-9]))', '', 'g'),
  -- Whatever separates words. A single space is left alone: replacing each one by itself would be the most expensive step.
  ' *(?:[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b9-\u02bd\u02c0-\u02ff\u0375'
  '\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f'
  '\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u06fd\u06fe\u0700-\u070d\u0888\u08e2\u0964\u0965\u0970\u1680'
  '\u2000-\u20cf\u2100-\u2131\u2133-\u214d\u214f\u218a-\u2bff\u2e00-\u2e7f\u3001-\u3004\u3008-\u3020\u3030'
  '\u303d-\u303f\u30a0\u30fb\ufbb2-\ufbc2\ufd3e-\ufd4f\ufdcf\ufdfd-\ufdff\ufe45\ufe46\ufffc\ufffd] *)+|  +',
  ' ', 'g'));

create function set_company_search_name() returns trigger language plpgsql as $$
begin
  new.search_name := left(' ' || search_name(new.name), 500);
  return new;
end $$;

create trigger companies_set_search_name before insert or update of name on companies
  for each row execute function set_company_search_name();

-- All companies are searched at once, by the operator alone.
create index companies_search_words on companies using gin (search_name gin_trgm_ops) with (gin_pending_list_limit = 256);
