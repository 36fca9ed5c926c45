/** What can be wrong with a field: the words that follow its name, in English and in Arabic. */
export const PROBLEMS = {
  // A value by itself.
  "can't be blank": 'لا يجوز أن يكون فارغًا',
  "can't be empty": 'لا يجوز أن يكون خاليًا',
  'is invalid': 'غير صالح',
  'must be {what}': 'يجب أن يكون {what}',
  'a string': 'نصًّا',
  'a whole number': 'عددًا صحيحًا',
  'true or false': 'true أو false',
  'a list': 'قائمة',
  'an object': 'كائنًا',
  null: 'null',
  'an e-mail address': 'عنوان بريد إلكتروني',
  'an http or https URL without spaces, such as https://example.com/page':
    'رابطًا يبدأ بـ http أو https بلا مسافات، مثل https://example.com/page',
  'a day of the Umm al-Qura calendar from {first} to {last}, such as 1448-06-05':
    'يومًا من تقويم أم القرى بين سنتي {first} و{last}، مثل 1448-06-05',
  'an operation such as keys:write': 'عملية، مثل keys:write',
  '2xx, 3xx, 4xx, 5xx or a status such as 422': '2xx أو 3xx أو 4xx أو 5xx أو رمز حالة مثل 422',
  'a request id': 'معرّف طلب',
  'a ref or an id': 'معرّفًا أو رقمًا',
  'must be an id': 'يجب أن يكون رقم سجل',
  'must be true or false': 'يجب أن يكون true أو false',
  'must be an object': 'يجب أن يكون كائنًا',
  'must be one of {values}': 'يجب أن تكون قيمته واحدة من: {values}',
  'must be {value}': 'يجب أن يكون {value}',
  'must be at least {limit}': 'يجب ألا يقل عن {limit}',
  'must be at most {limit}': 'يجب ألا يزيد على {limit}',
  'is too long: at most {limit} characters': 'طويل جدًّا: الحد الأقصى لعدد الأحرف {limit}',
  'must have at least {limit} entries': 'يجب ألا يقل عدد عناصره عن {limit}',
  'must have at most {limit} entries': 'يجب ألا يزيد عدد عناصره على {limit}',
  'must not be given more than {limit} times': 'يجب ألا يزيد عدد مرات ذكره على {limit}',
  'must not contain control characters or half of a surrogate pair':
    'يجب ألا يحتوي على أحرف تحكم ولا على نصف زوج بديل (surrogate pair)',
  'is not a field of {action}': 'ليس من حقول {action}',
  'was not found': 'لم يُعثر عليه',
  'is not a field': 'ليس حقلًا معروفًا',
  'appears more than once': 'ورد أكثر من مرة',
  'must be an https URL': 'يجب أن يكون رابطًا يبدأ بـ https',
  'must be an http or https URL': 'يجب أن يكون رابطًا يبدأ بـ http أو https',

  // A body.
  'is too large': 'أكبر من المسموح',
  'is nested too deeply': 'مستويات التداخل فيه أكثر من المسموح',
  'was cut off': 'انقطع قبل اكتماله',
  'must be one message': 'يجب أن يكون رسالة واحدة',
  'must be a JSON object': 'يجب أن يكون كائن JSON',
  'must be valid UTF-8': 'يجب أن يكون UTF-8 صالحًا',
  'must be valid JSON': 'يجب أن يكون JSON صالحًا',
  'has the field {field} more than once': 'يتكرر فيه الحقل {field}',
  'must not be compressed: send it without Content-Encoding': 'يجب ألا يكون مضغوطًا: يُرسل دون Content-Encoding',
  'must be JSON in UTF-8: send it with Content-Type: application/json':
    'يجب أن يكون JSON بترميز UTF-8، وأن يُرسل مع Content-Type: application/json',
  '. The body looks wrapped in {wrapper}: send its fields at the top level':
    '. يبدو أن الحقول مغلّفة داخل {wrapper}، ومكانها المستوى الأعلى',
  '; and {count} more': '؛ وأخطاء أخرى عددها {count}',

  // Dates and times.
  'must be a date that exists, written YYYY-MM-DD': 'يجب أن يكون تاريخًا صحيحًا بالصيغة YYYY-MM-DD',
  'must be a time that exists, in ISO 8601': 'يجب أن يكون وقتًا صحيحًا بصيغة ISO 8601',
  'must be a date or a time that exists, in ISO 8601': 'يجب أن يكون تاريخًا أو وقتًا صحيحًا بصيغة ISO 8601',
  'must be a Gregorian date from {first} to {last}': 'يجب أن يكون تاريخًا ميلاديًّا بين سنتي {first} و{last}',
  'must be a Gregorian date from {first} to {last}; {year} looks like a Hijri year':
    'يجب أن يكون تاريخًا ميلاديًّا بين سنتي {first} و{last}؛ تبدو {year} سنة هجرية',
  "can't be before starts_at": 'لا يجوز أن يسبق starts_at',
  "can't be before start_date": 'لا يجوز أن يسبق start_date',
  "can't be in the past": 'لا يجوز أن يكون في الماضي',
  "can't be sent together with {other}": 'لا يُرسل مع {other} في الطلب نفسه',
  'must be 0 where companies live in cells: follow meta.next_cursor instead':
    'يجب أن يكون 0 حيث تتوزع الشركات على خلايا؛ الصفحة التالية في meta.next_cursor',
  'must be an IANA time zone such as Asia/Riyadh': 'يجب أن يكون منطقة زمنية من قائمة IANA، مثل Asia/Riyadh',
  'must be more than zero and at most {most} minutes, as H:MM, decimal hours or whole minutes':
    'يجب أن يكون أكبر من صفر وألا يزيد على {most} دقيقة، بالصيغة H:MM أو بالساعات العشرية أو بالدقائق الصحيحة',

  // Requests.
  'must be the `next_cursor` of the same query; leave it out to begin again':
    'يجب أن يكون `next_cursor` للاستعلام نفسه؛ وتكون البداية من جديد بحذفه',
  'must have 1 to 255 printable ASCII characters': 'يجب أن يتكون من 1 إلى 255 حرفًا من أحرف ASCII القابلة للطباعة',
  'was used for another request: choose a new one': 'استُخدم لطلب آخر: يلزم غيره',
  'must name one or more of {values}': 'يجب أن تكون قيمته واحدة أو أكثر من: {values}',
  'headers are too large.': 'ترويساته أكبر من المسموح.',
  'is not valid HTTP.': 'ليس طلب HTTP صالحًا.',

  // Projects, lists and tasks.
  '{name} names no project': 'قيمته {name} لا تدل على مشروع',
  'must be the ref of a project, such as prj-4k7q2m9x0c': 'يجب أن يكون معرّف مشروع، مثل prj-4k7q2m9x0c',
  'must be the ref of a task list, or the slug of one in the same project':
    'يجب أن يكون معرّف قائمة مهام، أو الاسم المختصر لقائمة في المشروع نفسه',
  'is in a project that the assignee is not a member of: change the assignee first':
    'في مشروع ليس المكلَّف بالمهمة عضوًا فيه: يلزم تغيير المكلَّف أولًا',
  '{email} is not a member of the project': 'صاحب العنوان {email} ليس عضوًا في المشروع',
  '{project} is deleted: restore it first': 'المشروع {project} محذوف: تلزم استعادته أولًا',

  'must have at most {most} keys': 'يجب ألا يزيد عدد مفاتيحه على {most}',
  'must have at most {most} keys, and would have {count}': 'يجب ألا يزيد عدد مفاتيحه على {most}، وسيبلغ {count}',
  'a key of 1 to 40 letters, digits, `_`, `.` or `-`': 'مفتاحًا من 1 إلى 40 حرفًا أو رقمًا أو `_` أو `.` أو `-`',
  'must be {form}, with {what}': 'يجب أن يكون بالصيغة {form}، وأن يكون ما بين القوسين {what}',
  'must not be given more than once': 'يجب ألا يتكرر',
  'is the same as that of {other}': 'مطابق لما في {other}',
  'must be the one in the address, or left out': 'يجب أن يطابق ما في العنوان، أو أن يُحذف',
  '{id} is already taken': 'قيمته {id} مستخدمة بالفعل',
  '{id} already names {ref}': 'قيمته {id} مستخدمة بالفعل للسجل {ref}',

  // Files and folders.
  'must be the id of a folder of the project': 'يجب أن يكون رقم مجلد في المشروع',
  'is too deep: folders nest at most {most} levels':
    'أعمق من المسموح: الحد الأقصى لمستويات التداخل بين المجلدات {most}',
  "can't be the folder itself or one below it": 'لا يجوز أن يكون المجلد نفسه أو مجلدًا داخله',
  'is already used by another folder in the same place': 'مستخدم لمجلد آخر في الموضع نفسه',
  'must be a name without / or \\': 'يجب أن يكون اسمًا بلا / ولا \\',
  "can't be . or ..": 'لا يجوز أن يكون . أو ..',
  'must be on one line': 'يجب أن يكون في سطر واحد',
  'must not contain characters that override the direction of text': 'يجب ألا يحتوي على أحرف تغيّر اتجاه النص',
  'is reserved by some operating systems: choose another': 'محجوز في بعض أنظمة التشغيل: يلزم غيره',
  'must be sent, and only once': 'يجب إرساله، ومرة واحدة فقط',
  'or content_base64 must be sent, and only one of them': 'أو content_base64: يُرسل أحدهما فقط',
  'is for plain-text files: send the bytes of a .{extension} file in content_base64':
    'للملفات النصية فقط: يُرسل محتوى ملف {extension} في content_base64',
  'is too large: a file has at most 5 MB ({bytes} bytes)':
    'أكبر من المسموح: الحد الأقصى لحجم الملف 5 ميغابايت ({bytes} بايت)',
  'must be standard base64 with padding and without line breaks':
    'يجب أن يكون بترميز base64 القياسي، مع الحشو وبلا فواصل أسطر',
  'is too large: a PDF is made from at most 256 KB ({bytes} bytes) of markdown':
    'أكبر من المسموح: الحد الأقصى لنص markdown الذي يُنشأ منه ملف PDF هو 256 كيلوبايت ({bytes} بايت)',
  'could not be rendered within {seconds} seconds': 'تعذّر تحويله إلى PDF خلال {seconds}',
  'needs more than {megabytes} MB to be rendered': 'يحتاج تحويله إلى PDF إلى ذاكرة تزيد على {megabytes} ميغابايت',
  'could not be rendered; simplify its formatting': 'تعذّر تحويله إلى PDF؛ قد ينجح بتنسيق أبسط',
  '{ref} is not a file of the project': 'قيمته {ref} لا تدل على ملف في المشروع',
  'must be the ref of a file, such as fil-9d4w7c1hza': 'يجب أن يكون معرّف ملف، مثل fil-9d4w7c1hza',
  "can't be scanned: it is {state}": 'لا يمكن فحصه: حالته {state}',

  // A file that cannot be downloaded.
  'is infected ({finding}), so its content was removed': 'مصاب ({finding})، فأُزيل محتواه',
  'unpacks to far more than its size, so it could not be looked into':
    'يتضخّم عند فكّه إلى ما يفوق حجمه بكثير، فتعذّر فحص محتواه',
  'is damaged or cut short, so it could not be looked into': 'تالف أو ناقص، فتعذّر فحص محتواه',
  'is locked with a password, so it could not be looked into': 'محمي بكلمة مرور، فتعذّر فحص محتواه',
  'has too many archives packed inside one another to be looked into': 'فيه ملفات مضغوطة متداخلة أكثر مما يمكن فحصه',
  'takes too long to be looked into': 'يستغرق فحصه وقتًا أطول من المسموح',
  'holds too much to be looked into': 'فيه من المحتوى أكثر مما يمكن فحصه',
  'is packed in a way that could not be looked into': 'مضغوط بطريقة لا يمكن فحص محتواها',
  'could not be scanned, because the virus scanner gave no answer': 'لم يُفحص لأن فاحص الفيروسات لم يُجب',

  // People and companies.
  'must be the id of an active person of the company': 'يجب أن يكون رقم شخص نشط في الشركة',
  'has {email}, who is not an active person of the company': 'فيه {email}، وصاحب هذا العنوان ليس شخصًا نشطًا في الشركة',
  'is already used by another person of the company': 'مستخدم لشخص آخر في الشركة',
  "can't change: a company needs at least one active owner": 'لا يمكن تغييره: تحتاج الشركة إلى مالك نشط واحد على الأقل',
  'must be true: only active people can be invited': 'يجب أن يكون true: لا يُدعى إلا الأشخاص النشطون',
  'must be the name of the company, exactly as it is written': 'يجب أن يكون اسم الشركة كما هو مكتوب تمامًا',

  // Keys and sessions.
  "can't include {operations} with {access} access": 'لا يجوز أن يشمل {operations} ما دام مستوى الوصول {access}',
  "can't be rotated: it is revoked": 'لا يمكن تجديده لأنه مُبطَل',
  "can't be rotated: it has expired": 'لا يمكن تجديده لأن صلاحيته انتهت',
  "can't be rotated: it is an app's, which renews its tokens by itself":
    'لا يمكن تجديده: هو مفتاح تطبيق يجدد رموزه بنفسه',
  'or code or company_id must be sent, and only one of them': 'أو code أو company_id: يُرسل واحد منها فقط',

  // Webhooks and calendars.
  'covers more than {most} deliveries: choose a later time':
    'عدد عمليات التسليم التي يشملها أكثر من {most}: يلزم وقت أحدث',
  "can't be read any more: rotate the secret of the webhook": 'لم تعد قراءته ممكنة: يلزم تجديد سر خطاف الويب',
  'are limited to {most} in a company: delete one first': 'الحد الأقصى لعددها في الشركة {most}: يلزم حذف واحد أولًا',
  "must be sent too: the stored one can't be read any more": 'يجب إرساله أيضًا: لم تعد قراءة المحفوظ ممكنة',
  "can't be reached: {host} has no address": 'تعذّر الوصول إليه: ليس للمضيف {host} عنوان',
  'must not lead to a private address': 'يجب ألا يؤدي إلى عنوان خاص',
  "can't be reached: it announces an answer and sends none": 'تعذّر الوصول إليه: يعلن عن رد ولا يرسله',
  "can't be used: it answers 101 and leaves HTTP": 'لا يمكن استخدامه: يرد بالرمز 101 ويخرج عن HTTP',
  "can't carry a name or password": 'لا يجوز أن يحمل اسمًا أو كلمة مرور',
  'answers with more than {size}': 'رده أكبر من {size}',
  "can't be reached: it did not answer in time": 'تعذّر الوصول إليه: لم يرد في الوقت المحدد',
  "can't be reached: {reason}": 'تعذّر الوصول إليه: {reason}',
  'is connected already: a calendar takes one connection': 'مربوط بالفعل: يُربط التقويم مرة واحدة',
  'is a calendar in which somebody else changes the same event at the same moment':
    'تقويم يغيّر فيه طرف آخر الموعد نفسه في اللحظة نفسها',
  "can't be read any more: SERVER_SECRET has changed, send the password again":
    'لم تعد قراءته ممكنة: تغيّر SERVER_SECRET، فيلزم إرسال كلمة المرور من جديد',
  "has an event that can't be read: {reason}": 'فيه موعد لا يمكن قراءته: {reason}',
  'is not there: the calendar server answers 404': 'غير موجود: يرد خادم التقويم بالرمز 404',
  "can't have a colon in it": 'لا يجوز أن يحتوي على نقطتين رأسيتين',
  'leads to another server, {origin}: use the address there': 'يحيل إلى خادم آخر هو {origin}: يلزم العنوان الذي فيه',
  'leads from one address to the next': 'يحيل من عنوان إلى آخر بلا نهاية',
  'names an event by something that is no URL': 'يسمّي موعدًا بما ليس رابطًا',
  "can't carry a name or password: send them as username and password":
    'لا يجوز أن يحمل اسمًا أو كلمة مرور: مكانهما username وpassword',
  "can't have a query": 'لا يجوز أن يحتوي على استعلام',
  'is not the address of a calendar (PROPFIND answers {status})': 'ليس عنوان تقويم (الرد على PROPFIND هو {status})',
  'does not take one of the events: the calendar server answers {status}':
    'لا يقبل أحد المواعيد: يرد خادم التقويم بالرمز {status}',
  'is a calendar that takes no events': 'تقويم لا يقبل المواعيد',
  'is a calendar that this person may only read': 'تقويم يحق لهذا الشخص قراءته فقط',
  'answers {status} and does not say where to go': 'يرد بالرمز {status} ولا يذكر إلى أين يُحال الطلب',
  'is refused by the calendar server, or the username is': 'يرفضه خادم التقويم، أو يرفض اسم المستخدم',
  "can't be used: the calendar server answers {status} to {method}":
    'لا يمكن استخدامه: يرد خادم التقويم على {method} بالرمز {status}',
} as const
