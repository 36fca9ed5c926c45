/** What operations of the API have in common: fields of records, headers, parameters and answers. */
export const API_PARTS: Record<string, string> = {
  'An API key: `svc_api_…`, in a sandbox `svc_api_test_…`':
    'مفتاح API يبدأ بـ`svc_api_…`، وفي البيئة التجريبية بـ`svc_api_test_…`',
  'The exact operations the key may call': 'العمليات المسموح بها للمفتاح بالضبط',
  'What the key may do beyond its operations': 'ما يُسمح به للمفتاح فوق عملياته',
  'When the key ends; null if it does not': 'متى ينتهي المفتاح؛ `null` إن كان لا ينتهي',
  'True in a sandbox, where nothing is real (since 1.7.0)': '`true` في البيئة التجريبية، حيث لا شيء حقيقي (منذ 1.7.0)',
  "The key's creator: a signature, not the identity the call runs as":
    'منشئ المفتاح: توقيع، لا الهوية التي يُنفَّذ بها الاستدعاء',
  'Pass it as `after` to continue behind this entry': 'يُمرَّر بالاسم `after` للمتابعة بعد هذا القيد',
  'The list of a task, the record that a comment is on, or the folder that a file or folder is in; otherwise null':
    'قائمة المهمة، أو السجل الذي عليه التعليق، أو المجلد الذي فيه الملف أو المجلد؛ وإلا `null`',
  'What `parent_id` names; null if that is null': 'ما يدل عليه `parent_id`؛ `null` إذا كان هو `null`',
  'The fields that an update changed; null for other changes': 'الحقول التي غيّرها التعديل؛ `null` للتغييرات الأخرى',
  'The ref; folders have none': 'المعرّف؛ لا معرّف للمجلدات',
  'Of a folder or a file': 'اسم مجلد أو ملف',
  'The `prj-` ref; it never changes': 'المعرّف الذي يبدأ بـ`prj-`، ولا يتغير أبدًا',
  "The other system's id of the record; addresses take it as `ext:` and the id":
    'معرّف السجل في النظام الآخر؛ تقبله العناوين بعد `ext:`',
  'What other systems remember about it': 'ما تحفظه الأنظمة الأخرى عنه',
  'The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`':
    'الأيام نفسها في تقويم أم القرى؛ مع `calendar=islamic-umalqura` فقط',
  'Records that match, before limit and offset': 'عدد السجلات المطابقة، قبل `limit` و`offset`',
  'Records in this page': 'عدد السجلات في هذه الصفحة',
  'Use it as `assignee_email` and in `attendee_emails`': 'يُستخدم في `assignee_email` و`attendee_emails`',
  'Display name of the role': 'الاسم المعروض للدور',
  'The `lst-` ref; it never changes': 'المعرّف الذي يبدأ بـ`lst-`، ولا يتغير أبدًا',
  'True when the list has tasks and all of them are completed': '`true` إذا كانت في القائمة مهام وأُكملت كلها',
  'When the last task was completed': 'متى أُكملت المهمة الأخيرة',
  'Does not move when only the counts change': 'لا يتقدم إذا لم تتغير إلا الأعداد',
  'The `tsk-` ref; it never changes': 'المعرّف الذي يبدأ بـ`tsk-`، ولا يتغير أبدًا',
  'Null when no time has been recorded': '`null` إذا لم يُسجَّل وقت',
  'The `lst-` ref': 'المعرّف الذي يبدأ بـ`lst-`',
  'Completing, reopening, moving and stating the time are updates too':
    'الإكمال وإعادة الفتح والنقل وتسجيل الوقت تعديلات أيضًا',
  'Plain text; embedded files are not in it': 'نص عادي؛ لا تظهر فيه الملفات المضمّنة',
  'Equals created_at until the comment is edited': 'يساوي `created_at` إلى أن يُعدَّل التعليق',
  'Names of the files embedded in the body, then of those attached': 'أسماء الملفات المضمّنة في المتن، ثم أسماء المرفقة',
  'The `fil-` refs of `attachments`, in the same order; null for embedded files and deleted ones':
    'معرّفات الملفات في `attachments`، وتبدأ بـ`fil-`، بالترتيب نفسه؛ `null` للملفات المضمّنة وللمحذوفة',
  'The `mjl-` ref; it never changes': 'المعرّف الذي يبدأ بـ`mjl-`، ولا يتغير أبدًا',
  'The `fil-` ref': 'المعرّف الذي يبدأ بـ`fil-`',
  'The path of the folder it lives in': 'مسار المجلد الذي يوجد فيه',
  'Display name of the site that a link leads to': 'الاسم المعروض للموقع الذي يؤدي إليه الرابط',
  'Why the file is `infected` or `failed`, in a sentence for people':
    'لماذا كانت حالة الملف `infected` أو `failed`، في جملة يقرؤها الناس',
  'True once the scan has cleared it': '`true` بعد أن يجتاز الفحص',
  'With the offset of the company zone': 'مع الفارق الزمني لمنطقة الشركة',
  'Of an all-day event: on its last day': 'في موعد طوال اليوم: في يومه الأخير',
  'Only the organizer may edit': 'التعديل للمنظِّم فقط',
  'Where to start again; with cursor_expired only': 'من أين تُستأنف المتابعة؛ مع `cursor_expired` فقط',
  'The record that already has the `external_id`; with that conflict only':
    'السجل الذي له هذا `external_id` من قبل؛ مع هذا التعارض فقط',
  'The path no endpoint answers; with unknown_endpoint only':
    'المسار الذي لا تجيب عنه نقطة اتصال؛ مع `unknown_endpoint` فقط',
  'The id of this request in the logs': 'معرّف هذا الطلب في سجلات الخادم',
  'Unknown fields of the body, which were ignored; percent-encoded':
    'حقول غير معروفة في المتن تُجوهلت؛ بترميز النسبة المئوية',
  'Unknown query parameters, which were ignored; percent-encoded':
    'معاملات استعلام غير معروفة تُجوهلت؛ بترميز النسبة المئوية',
  '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`':
    '`true` إذا كانت هذه هي الإجابة المحفوظة لطلب سابق له قيمة `Idempotency-Key` نفسها',
  'Daily allowance of the company, or `unlimited`': 'الحصة اليومية للشركة، أو `unlimited`',
  'Calls left today, or `unlimited`': 'الاستدعاءات المتبقية اليوم، أو `unlimited`',
  'Unix time of the next reset: midnight in the company zone':
    'وقت التصفير القادم بتوقيت Unix: منتصف الليل بتوقيت الشركة',
  'Seconds to wait': 'عدد ثواني الانتظار',
  'The address of the next page: `<…>; rel="next"`; absent on the last page':
    'عنوان الصفحة التالية: `<…>; rel="next"`؛ لا يُرسل في الصفحة الأخيرة',
  'The version of this answer, for `If-None-Match` and `If-Match`':
    'نسخة هذه الإجابة، تُرسل في `If-None-Match` و`If-Match`',
  '`attachment`, with the name of the file': 'القيمة `attachment` مع اسم الملف',
  '`bytes`: parts can be requested with `Range`': 'القيمة `bytes`: يمكن طلب أجزاء بالترويسة `Range`',
  'Which bytes these are, and how many there are in all': 'أي بايتات هذه، وكم عددها في المجموع',
  'The address of the new record, or where the link leads': 'عنوان السجل الجديد، أو وجهة الرابط',
  '`Bearer`: how a credential is sent': 'القيمة `Bearer`: كيف تُرسل بيانات الاعتماد',
  'An ETag from an earlier answer; 304 when nothing has changed since':
    'قيمة `ETag` من إجابة سابقة؛ الرد 304 إذا لم يتغير شيء منذئذ',
  'With any of these external ids': 'التي لها أي من هذه المعرّفات الخارجية',
  'Page size; clamped to 1..100': 'حجم الصفحة؛ يُضبط بين 1 و100',
  'Records to skip': 'عدد السجلات التي تُتخطى',
  '`meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset`':
    'قيمة `meta.next_cursor` من الصفحة السابقة، مع الاستعلام نفسه؛ تُقدَّم على `offset`',
  'Adds `hijri` to each record: its days in the Umm al-Qura calendar':
    'يضيف `hijri` إلى كل سجل: أيامه في تقويم أم القرى',
  'A name of your choice for this request, remembered for 24 hours. A request repeated under the same name is carried out once and gets the same answer.':
    'اسم من اختيارك لهذا الطلب، يُحفظ 24 ساعة. الطلب المكرر بالاسم نفسه يُنفَّذ مرة واحدة وتكون له الإجابة نفسها.',
  'A project ref (`prj-…`), slug, or `ext:` and an external id':
    'معرّف مشروع (`prj-…`)، أو اسمه المختصر، أو معرّف خارجي بعد `ext:`',
  'One or more ETags of the record, or `*`; 412 when it has changed since':
    'قيمة أو أكثر من قيم `ETag` للسجل، أو `*`؛ الرد 412 إذا تغيّر منذئذ',
  'What the other system calls the record': 'ما يسمّي به النظام الآخر السجل',
  'A task list ref (`lst-…`) or `ext:` and an external id, or on a nested address its ref or slug':
    'معرّف قائمة مهام (`lst-…`) أو معرّف خارجي بعد `ext:`، وفي العنوان المتداخل معرّفها أو اسمها المختصر',
  'Assigned to any of these people; an address that nobody has finds nothing':
    'المكلَّف بها أي من هؤلاء الأشخاص؛ عنوان ليس لأحد لا يجد شيئًا',
  '`true`: assigned to nobody; with `assignee_email`, to these people or to nobody':
    'القيمة `true`: بلا مكلَّف؛ ومع `assignee_email` ما كُلّف به هؤلاء الأشخاص وما لا مكلَّف به',
  '`true` or `false`; both when left out': 'القيمة `true` أو `false`؛ كلتاهما عند الحذف',
  'Date, included': 'تاريخ، وهو مشمول',
  '`true`: not completed, and due before today in the company zone':
    'القيمة `true`: لم تكتمل، واستحقاقها قبل اليوم بتوقيت الشركة',
  'ISO 8601 date or time, included': 'تاريخ أو وقت بصيغة ISO 8601، وهو مشمول',
  'The value of a key, as in `metadata[stage]=review`; with several keys, all must have their value':
    'قيمة مفتاح، مثل `metadata[stage]=review`؛ ومع عدة مفاتيح يجب أن تكون لكل منها قيمته',
  'Default `created`. Tasks without a due date come last either way.':
    'الافتراضي `created`. المهام التي بلا استحقاق تأتي أخيرًا في الحالين.',
  'A task ref (`tsk-…`) or `ext:` and an external id, or on a nested address its ref or slug':
    'معرّف مهمة (`tsk-…`) أو معرّف خارجي بعد `ext:`، وفي العنوان المتداخل معرّفها أو اسمها المختصر',
  'The id of a comment': 'رقم التعليق',
  'A discussion ref (`mjl-…`) or `ext:` and an external id, or on a nested address its ref or slug':
    'معرّف نقاش (`mjl-…`) أو معرّف خارجي بعد `ext:`، وفي العنوان المتداخل معرّفه أو اسمه المختصر',
  'A file ref (`fil-…`), or on a nested address its number': 'معرّف ملف (`fil-…`)، وفي العنوان المتداخل رقمه',
  'The id of a folder': 'رقم المجلد',
  'The id of an event': 'رقم الموعد',
  'A JSON number is accepted too': 'يُقبل عدد JSON أيضًا',
  'Refs (`fil-…`) of files of the same project, at most 10': 'معرّفات (`fil-…`) لملفات من المشروع نفسه، بحد أقصى 10',
  'The credential is missing or invalid': 'بيانات الاعتماد ناقصة أو غير صالحة',
  'Not permitted, or not in the plan (`plan_upgrade_required`)':
    'غير مسموح، أو لا تشمله الباقة (`plan_upgrade_required`)',
  'The record does not exist or is not accessible, or there is no such endpoint (`unknown_endpoint`)':
    'السجل غير موجود أو لا يمكن الوصول إليه، أو لا توجد نقطة اتصال كهذه (`unknown_endpoint`)',
  'Another request changed the same thing at the same moment: it is safe to try again. Or an `external_id` is taken by the record that `error.id` names':
    'غيّر طلب آخر الشيء نفسه في اللحظة نفسها: إعادة المحاولة آمنة. أو أن قيمة `external_id` مستخدمة للسجل الذي يذكره `error.id`',
  'The cursor is too old, or not one of ours': 'المؤشر قديم جدًّا، أو ليس من مؤشراتنا',
  'The record has changed: `If-Match` does not match its current version':
    'تغيّر السجل: قيمة `If-Match` لا تطابق نسخته الحالية',
  'The range begins after the end of the file; `Content-Range` has its size':
    'يبدأ الجزء بعد نهاية الملف؛ وحجمه في `Content-Range`',
  'The request has a mistake that the caller can fix': 'في الطلب خطأ يمكن للمستدعي إصلاحه',
  'The daily allowance is spent (`rate_limit_exceeded`), or the burst throttle refused: then `error` is a plain string':
    'استُنفدت الحصة اليومية (`rate_limit_exceeded`)، أو تجاوز عدد الطلبات حد الدقيقة: عندئذ يكون `error` نصًّا عاديًّا',
  'Something went wrong on our side': 'حدث خطأ في الخادم',
  'The service is temporarily unavailable': 'الخدمة غير متاحة مؤقتًا',
  'Unchanged since the ETag in `If-None-Match`': 'لم يتغير شيء منذ قيمة `ETag` المرسلة في `If-None-Match`',
  'Records that match, before limit and offset; at most 10,000':
    'عدد السجلات المطابقة، قبل `limit` و`offset`؛ بحد أقصى 10,000',
  'True when there are more than `total`': '`true` إذا زاد العدد على `total`',
  'How many tasks were created': 'عدد المهام التي أُنشئت',
}
