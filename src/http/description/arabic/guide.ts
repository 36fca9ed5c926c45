/** The chapters of the reference, paragraph by paragraph, and the cells of their tables. */
export const GUIDE: Record<string, string> = {
  'Diwan API': 'API ديوان',
  'Diwan administration': 'إدارة ديوان',
  'Projects, task lists, tasks, discussions, files and events of a company, over JSON. Arabic and English are equals: names, search and slugs work in both.':
    'مشاريع الشركة وقوائم مهامها ومهامها ونقاشاتها وملفاتها ومواعيدها، بصيغة JSON. العربية والإنجليزية سواء: الأسماء والبحث والأسماء المختصرة تعمل بكلتيهما.',
  'Getting started': 'البداية',
  'Every request carries an API key. The server prints the key of its demo company when it starts for the first time. Enter it under **Authentication** on this page to try the endpoints here, or put it into your shell to run the samples:':
    'يحمل كل طلب مفتاح API. يطبع الخادم مفتاح شركته التجريبية عند أول تشغيل. يُدخَل تحت **المصادقة** في هذه الصفحة لتجربة نقاط الاتصال هنا، أو يوضع في سطر الأوامر لتشغيل الأمثلة:',
  'The samples name records of the demo company, so you can run them as they are. Those in JavaScript use the client, `@diwan/client`; those in Python need nothing but Python. The key of the demo company cannot delete: make one that may in the console.':
    'تذكر الأمثلة سجلات من الشركة التجريبية، فيمكن تشغيلها كما هي. أمثلة JavaScript تستخدم العميل `@diwan/client`، وأمثلة Python لا تحتاج إلى غير Python. لا يُسمح لمفتاح الشركة التجريبية بالحذف: يُنشأ لذلك في لوحة التحكم مفتاح يُسمح له به.',
  'Bodies are flat JSON objects. Unknown fields are dropped and named in `X-Ignored-Fields`, unknown query parameters in `X-Ignored-Parameters`. In a `PATCH`, a field that you leave out stays as it is, and `null` clears it.':
    'المتن كائن JSON مسطّح. الحقول غير المعروفة تُتجاهل وتُذكر في `X-Ignored-Fields`، ومعاملات الاستعلام غير المعروفة في `X-Ignored-Parameters`. في `PATCH` يبقى الحقل الذي لا يُرسل كما هو، وتمسحه القيمة `null`.',
  'A record is addressed by its ref, which never changes (`/tasks/tsk-0q8v5n2jyt`), or below its project by slugs (`/projects/website-launch/lists/design`). Slugs keep Arabic letters; in a URL they are percent-encoded:':
    'يُوصل إلى السجل بمعرّفه الذي لا يتغير أبدًا (`/tasks/tsk-0q8v5n2jyt`)، أو بالأسماء المختصرة تحت مشروعه (`/projects/website-launch/lists/design`). تحتفظ الأسماء المختصرة بالحروف العربية؛ وتُكتب في الرابط بترميز النسبة المئوية:',
  Errors: 'الأخطاء',
  'An error has a code for programs and a message for people. `X-Request-Id` identifies the request in the logs of the server.':
    'للخطأ رمز تقرؤه البرامج ورسالة يقرؤها الناس. تصل الرسالة بالعربية إذا أُرسلت الترويسة `Accept-Language: ar`. تدل `X-Request-Id` على الطلب في سجلات الخادم.',
  Status: 'رمز الحالة',
  Code: 'رمز الخطأ',
  Meaning: 'المعنى',
  'Try again?': 'هل تُعاد المحاولة؟',
  'The key is missing or not valid': 'المفتاح ناقص أو غير صالح',
  no: 'لا',
  'The key may not do this, or the project is archived': 'لا يُسمح للمفتاح بذلك، أو المشروع مؤرشف',
  'The plan does not include this': 'لا تشمله الباقة',
  'There is no such record within reach': 'لا يوجد سجل كهذا يمكن الوصول إليه',
  'There is no such endpoint': 'لا توجد نقطة اتصال كهذه',
  'Another request was faster': 'سبقه طلب آخر',
  yes: 'نعم',
  'The cursor of the feed is too old': 'مؤشر سجل التغييرات قديم جدًّا',
  'with the cursor in the error': 'بالمؤشر الذي في الخطأ',
  'The record has changed since you read it': 'تغيّر السجل منذ قراءته',
  'after reading it again': 'بعد قراءته من جديد',
  'The request has a mistake; the message begins with the field': 'في الطلب خطأ؛ تبدأ الرسالة باسم الحقل',
  'after fixing it': 'بعد إصلاحه',
  'The allowance of the day is spent': 'استُنفدت الحصة اليومية',
  'after `Retry-After`': 'بعد `Retry-After`',
  none: 'بلا رمز',
  'Too many requests in a minute; `error` is a plain string': 'طلبات كثيرة في الدقيقة؛ يكون `error` نصًّا عاديًّا',
  'A fault of the server': 'خطأ في الخادم',
  perhaps: 'ربما',
  'The service is busy or a part of it is away': 'الخدمة مشغولة أو جزء منها غائب',
  soon: 'قريبًا',
  'To repeat a `POST` safely, send an `Idempotency-Key` of your choice: within 24 hours the same request under the same key is carried out once and gets the same answer. To change a record only if nobody else has, send its `ETag` as `If-Match`.':
    'لتكرار طلب `POST` بأمان يُرسَل معه `Idempotency-Key` يختاره المستدعي: خلال 24 ساعة يُنفَّذ الطلب نفسه بالقيمة نفسها مرة واحدة وتكون له الإجابة نفسها. ولتعديل سجل بشرط ألا يكون قد عُدِّل في هذه الأثناء تُرسَل قيمة `ETag` التي له في `If-Match`.',
  Limits: 'الحدود',
  Limit: 'الحد',
  'How much': 'المقدار',
  'What tells you': 'ما يدل عليه',
  'Calls in a day': 'الاستدعاءات في اليوم',
  'by plan; the day ends at midnight in the time zone of the company':
    'حسب الباقة؛ ينتهي اليوم عند منتصف الليل بتوقيت الشركة',
  '`X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`':
    '`X-RateLimit-Limit`، `X-RateLimit-Remaining`، `X-RateLimit-Reset`',
  'Requests in a minute': 'الطلبات في الدقيقة',
  '300 for each key and each address': '300 لكل مفتاح ولكل عنوان',
  '429 with `Retry-After`': '429 مع `Retry-After`',
  'A body': 'المتن',
  '1 MiB; an upload 30 MiB, of which the file is at most 5 MB':
    '`1 MiB`؛ وعند الرفع `30 MiB`، منها `5 MB` للملف على الأكثر',
  'A page': 'الصفحة',
  '100 records': '100 سجل',
  'Names and titles': 'الأسماء والعناوين',
  '255 characters': '255 حرفًا',
  'Descriptions, notes and comments': 'الأوصاف والملاحظات والتعليقات',
  '65,535 characters': '65,535 حرفًا',
  Pages: 'الصفحات',
  'Collections come in pages: `limit` is 50 by default and 100 at most. `meta.total` counts all records. To read on, pass `meta.next_cursor` as `cursor`, or follow the `Link` header; on the last page the cursor is null. A cursor keeps its place while records are added and removed. `offset` works as well, and suits pages that people leaf through.':
    'تأتي المجموعات في صفحات: القيمة الافتراضية للمعامل `limit` هي 50، والقصوى 100. يعدّ `meta.total` السجلات كلها. لمتابعة القراءة تُمرَّر قيمة `meta.next_cursor` بالاسم `cursor`، أو تُتبَع الترويسة `Link`؛ وفي الصفحة الأخيرة تكون قيمة المؤشر `null`. يحتفظ المؤشر بموضعه مع إضافة السجلات وإزالتها. يعمل `offset` أيضًا، ويناسب الصفحات التي يقلّبها الناس.',
  'The feed of changes': 'سجل التغييرات',
  '`GET /company/changes` answers one question: what has happened since I last looked? Without `after` it gives only `meta.next_cursor`, the end of the feed. Keep it, and ask again with `?after=`. Nothing is left out, entries are in the order of commits, and one may come twice. An entry says which record changed; read the record itself by its id.':
    'يجيب `GET /company/changes` عن سؤال واحد: ماذا حدث منذ آخر قراءة؟ من دون `after` لا يعطي إلا `meta.next_cursor`، وهو نهاية السجل. يُحفظ، ثم يُسأل من جديد بـ`?after=`. لا يسقط شيء، والقيود بترتيب حفظها، وقد يرد أحدها مرتين. يذكر القيد السجل الذي تغيّر؛ أما السجل نفسه فيُقرأ بمعرّفه.',
  'With `Accept: text/event-stream` the same address sends changes as they happen. After a broken connection, come back with `Last-Event-ID`. The client does both for you:':
    'مع `Accept: text/event-stream` يرسل العنوان نفسه التغييرات فور حدوثها. بعد انقطاع الاتصال، عُد بالترويسة `Last-Event-ID`. يقوم العميل بالأمرين عنك:',
  'Entries are kept for 30 days. An older cursor is 410 `cursor_expired`: read the collections again, and go on from `error.cursor`.':
    'تُحفظ القيود 30 يومًا. المؤشر الأقدم يُرد عليه بالرمز 410 `cursor_expired`: تُقرأ المجموعات من جديد، وتكون المتابعة من `error.cursor`.',
  Webhooks: 'خطافات الويب',
  'Instead of asking, have Diwan call you. A webhook is made in the console or on the administration surface; it has an https address, the kinds of changes that it wants, and a secret that is shown once. Each message is a `POST` signed by the rules of [Standard Webhooks](https://www.standardwebhooks.com): verify `webhook-signature` before you believe a message, and use `webhook-id` to recognize one that comes twice.':
    'بدلًا من تكرار السؤال، يبادر ديوان بالاتصال. يُنشأ خطاف الويب في لوحة التحكم أو عبر الإدارة؛ وله عنوان `https`، وأنواع التغييرات التي يريدها، وسر يظهر مرة واحدة. كل رسالة طلب `POST` موقَّع وفق قواعد [Standard Webhooks](https://www.standardwebhooks.com): يُتحقَّق من `webhook-signature` قبل تصديق الرسالة، وتُعرف الرسالة التي تصل مرتين من `webhook-id`.',
  'Answer with any 2xx status within 15 seconds. Anything else is tried again, with longer and longer pauses.':
    'أجب برمز حالة `2xx` خلال 15 ثانية. كل ما سوى ذلك تُعاد محاولته، على فترات تطول شيئًا فشيئًا.',
}
